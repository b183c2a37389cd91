/** The shells with completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/*
 * Each script calls `payments-client complete -- <words>`, which prints a word, a tab and its help per line, or
 * `:files`. So a script stays valid when the program gets new commands.
 */

/** Bash splits words at `=` and `:`, and replaces only the text after them. It may be version 3.2, as on macOS. */
const bash = `_payments_client() {
  local IFS=$'\\n' lines
  lines=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
  if [ "$lines" = :files ]; then
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]#=}"))
    compopt -o filenames 2>/dev/null
  else
    COMPREPLY=($(sed 's/^.*=//' <<<"$lines"))
  fi
}
complete -F _payments_client payments-client
`;

/** It may be evaluated, or be a file \`_payments-client\` in a folder of \`fpath\`, which zsh calls immediately. */
const zsh = `#compdef payments-client
_payments-client() {
  local -a lines
  lines=("\${(@f)$("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    compset -P '--*='
    _files
  else
    lines=("\${(@)lines/$'\\t'/:}")
    _describe payments-client lines
  fi
}
if [[ $funcstack[1] == _payments-client ]]; then
  _payments-client "$@"
else
  compdef _payments-client payments-client
fi
`;

const fish = `function __payments_client_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  set -l lines ($words[1] complete -- $words[2..-1] "$word" 2>/dev/null)
  if test "$lines" = :files
    set -l option (string match -r -- '^--[^=]*=' "$word")
    for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$word"))
      echo -- "$option$path"
    end
  else
    string join \\n -- $lines
  end
end
complete -c payments-client -f -a '(__payments_client_complete)'
`;

/** The script of each shell. */
export const scripts: Readonly<Record<(typeof shells)[number], string>> = { bash, zsh, fish };
