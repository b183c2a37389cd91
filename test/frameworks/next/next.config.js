export default {
  // The app is its own root, whatever lock files are above it.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  // Tracing is for deployments, and takes a third of the build.
  outputFileTracingExcludes: { 'next-server': ['**/*'] },
  // A route is loaded by its first request, so that it shows which file of the package it takes.
  experimental: { preloadEntriesOnStart: false },
};
