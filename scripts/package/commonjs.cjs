exports.entries = {
  sdk: require('payments-client'),
  browser: require('payments-client/browser'),
  fraud: require('payments-client/fraud'),
  journal: require('payments-client/journal'),
  orders: require('payments-client/orders'),
  stores: require('payments-client/stores'),
  webhooks: require('payments-client/webhooks'),
  sandbox: require('payments-client-sandbox'),
  testing: require('payments-client-sandbox/testing'),
};
if (require.main === module) void require('./use.cjs').use(exports.entries);
