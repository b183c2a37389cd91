/** A response of a gateway of this kind, copied from a public test suite. Digits of cards and names of accounts are changed. */
export interface GatewayResponse {
  /** What the response means, and what is unusual about it. */
  readonly what: string;
  /** The repository and file of the source; `made here` if no suite has one. */
  readonly from: string;
  readonly body: string;
  readonly expected: {
    readonly approved: boolean;
    readonly response: string;
    readonly responsetext: string;
    /** Empty for `0` too. */
    readonly transactionid: string;
    /** The code of the address check; absent without one. */
    readonly avs?: string;
    /** The code of the security-code check; absent without one. */
    readonly cvv?: string;
    /** Some of the other fields, unchanged. */
    readonly fields?: Readonly<Record<string, string>>;
  };
}

const activeMerchant = (gateway: string) =>
  `activemerchant/active_merchant test/unit/gateways/${gateway}_test.rb`;
const unnamed = (what: string) => `public test suite, unnamed excerpt: ${what}`;

/** One response of each form: each set of fields, encoding, and kind of text that the decoder meets. */
export const gatewayResponses: readonly GatewayResponse[] = [
  {
    what: 'a sale',
    from: activeMerchant('nmi'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=2762757839&avsresponse=N&cvvresponse=N&orderid=b6c1c57f709cfaa65a5cf5b8532ad181&type=&response_code=100',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '2762757839',
      avs: 'N',
      cvv: 'N',
    },
  },
  {
    what: 'a sale by bank account, with no checks',
    from: activeMerchant('nmi'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=2762759808&avsresponse=&cvvresponse=&orderid=6780868212a4bc8d3d6ffc52d4873587&type=&response_code=100',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '2762759808',
    },
  },
  {
    what: 'a sale with an address check and an empty security-code check',
    from: activeMerchant('cams'),
    body: 'response=1&responsetext=SUCCESS&authcode=54321&transactionid=2654605773&avsresponse=N&cvvresponse=&orderid=&type=&response_code=100',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '2654605773',
      avs: 'N',
      fields: { authcode: '54321' },
    },
  },
  {
    what: 'a sale on a stored card whose vault id is a hash',
    from: activeMerchant('nmi_vault'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=2129769795&avsresponse=Y&cvvresponse=&orderid=1&type=sale&response_code=100&merchant_defined_field_6=&merchant_defined_field_7=&customer_vault_id=0af0df14241cff2db9d369339c34109a',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '2129769795',
      avs: 'Y',
      fields: {
        merchant_defined_field_6: '',
        merchant_defined_field_7: '',
        customer_vault_id: '0af0df14241cff2db9d369339c34109a',
      },
    },
  },
  {
    what: 'a sale with a security-code check alone',
    from: activeMerchant('merchant_one'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=281719471&avsresponse=&cvvresponse=M&orderid=&type=sale&response_code=100',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '281719471',
      cvv: 'M',
    },
  },
  {
    what: 'a sale with a masked card at the end',
    from: unnamed('payment outcome log, node:test'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=11223344556&avsresponse=Z&cvvresponse=M&response_code=100&cc_number=4xxxxxxxxxxx1111',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '11223344556',
      avs: 'Z',
      cvv: 'M',
      fields: { cc_number: '4xxxxxxxxxxx1111' },
    },
  },
  {
    what: 'a sale with chip data, a processor and a score',
    from: 'CarrotCat-Corp/PaymentGatewayDotnet PaymentGatewayDotnet.UnitTests/PaymentApi/Response/PaymentApiResponseTests.cs',
    body: 'response=1&responsetext=Transaction Approved&authcode=123456&transactionid=TRAN123&avsresponse=Y&cvvresponse=M&orderid=ORDER456&type=Sale&response_code=100&emv_auth_response_data=EMVDATA123&processor_id=PRO123&customer_vault_id=CUST456&kount_score=90',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'Transaction Approved',
      transactionid: 'TRAN123',
      avs: 'Y',
      cvv: 'M',
      fields: {
        emv_auth_response_data: 'EMVDATA123',
        processor_id: 'PRO123',
        customer_vault_id: 'CUST456',
        kount_score: '90',
      },
    },
  },
  {
    what: 'a sale whose fields come in another order, escaped',
    from: unnamed('ActiveMerchant integrations, Braintree return'),
    body: 'orderid=order-1&amount=25.00&response=1&transactionid=transaction-1&avsresponse=Y&cvvresponse=M&customer_vault_id=customer-1&time=20090717181533&hash=ee10f05e1bd59f4d0094b0be54c87e3b&responsetext=Successful+purchase&authcode=123456',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'Successful purchase',
      transactionid: 'transaction-1',
      avs: 'Y',
      cvv: 'M',
      fields: {
        amount: '25.00',
        customer_vault_id: 'customer-1',
        time: '20090717181533',
        hash: 'ee10f05e1bd59f4d0094b0be54c87e3b',
      },
    },
  },
  {
    what: 'a sale with an escaped address in it',
    from: unnamed('Braintree transaction response, RSpec'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=744061846&avsresponse=&cvvresponse=N&orderid=102330&type=sale&response_code=100&encoded=http%3A%2F%2Fwww%2Ebraintreeps%2Ecom%2Fblog',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '744061846',
      cvv: 'N',
      fields: { encoded: 'http://www.braintreeps.com/blog' },
    },
  },
  {
    what: 'a decline',
    from: activeMerchant('nmi'),
    body: 'response=2&responsetext=DECLINE&authcode=&transactionid=2762766725&avsresponse=N&cvvresponse=N&orderid=f4bd34a5a6089aa822d13352807bdf11&type=&response_code=200',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'DECLINE',
      transactionid: '2762766725',
      avs: 'N',
      cvv: 'N',
    },
  },
  {
    what: 'a failed bank account that has an authorization code all the same',
    from: activeMerchant('nmi'),
    body: 'response=2&responsetext=FAILED&authcode=123456&transactionid=2762783009&avsresponse=&cvvresponse=&orderid=8070b75a09d75c3e84e1c17d44bbbf34&type=&response_code=200',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'FAILED',
      transactionid: '2762783009',
    },
  },
  {
    what: 'a decline with a dash and a reason',
    from: unnamed('NMI provider, pytest'),
    body: 'response=2&responsetext=DECLINE - Insufficient funds&transactionid=txn_declined_001&avsresponse=N&cvvresponse=M',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'DECLINE - Insufficient funds',
      transactionid: 'txn_declined_001',
      avs: 'N',
      cvv: 'M',
    },
  },
  {
    what: 'a decline, escaped',
    from: 'open-rails/openrails (unnamed excerpt of its Go tests)',
    body: 'response=2&response_code=202&responsetext=Insufficient+funds',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'Insufficient funds',
      transactionid: '',
    },
  },
  {
    what: 'a decline whose text comes last, not escaped',
    from: unnamed('ActiveMerchant integrations, Braintree return'),
    body: 'orderid=order-1&amount=25.00&response=2&transactionid=transaction-1&avsresponse=Y&cvvresponse=M&customer_vault_id=customer-1&time=20090717181533&hash=6e6e4834d4202442d9006e44f9e181d2&responsetext=Insufficient funds',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'Insufficient funds',
      transactionid: 'transaction-1',
      avs: 'Y',
      cvv: 'M',
      fields: {
        amount: '25.00',
        customer_vault_id: 'customer-1',
        time: '20090717181533',
        hash: '6e6e4834d4202442d9006e44f9e181d2',
      },
    },
  },
  {
    what: 'a decline with the id 0',
    from: unnamed('booking payment, PHPUnit'),
    body: 'response=2&responsetext=DECLINE&transactionid=0&response_code=200',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'DECLINE',
      transactionid: '',
      fields: { transactionid: '0' },
    },
  },
  {
    what: 'a decline that ends in an empty id',
    from: unnamed('NMI payment gateway, PHPUnit'),
    body: 'response=2&responsetext=DECLINE&transactionid=',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'DECLINE',
      transactionid: '',
    },
  },
  {
    what: 'an error with a reference',
    from: activeMerchant('cams'),
    body: 'response=3&responsetext=Invalid Credit Card Number REFID:3154273850&authcode=&transactionid=&avsresponse=&cvvresponse=&orderid=&type=&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Invalid Credit Card Number REFID:3154273850',
      transactionid: '',
    },
  },
  {
    what: 'an error with a colon, and the id 0',
    from: activeMerchant('verifi'),
    body: 'response=3&responsetext=Field required: ccnumber REFID:12109909&authcode=&transactionid=0&avsresponse=&cvvresponse=&orderid=37&type=sale&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Field required: ccnumber REFID:12109909',
      transactionid: '',
      fields: { transactionid: '0' },
    },
  },
  {
    what: 'an error with a number sign',
    from: 'orkestra/orkestra-transactor tests/Orkestra/Transactor/Tests/Transactor/NetworkMerchants/AchTransactorTest.php',
    body: 'response=3&responsetext=Invalid Bank Account# REFID:330352367&authcode=&transactionid=&avsresponse=&cvvresponse=&orderid=&type=sale&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Invalid Bank Account# REFID:330352367',
      transactionid: '',
    },
  },
  {
    what: 'wrong credentials: a user name, and the id 0',
    from: activeMerchant('network_merchants'),
    body: 'response=3&responsetext=Invalid Username&authcode=&transactionid=0&avsresponse=&cvvresponse=&orderid=1&type=sale&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Invalid Username',
      transactionid: '',
      fields: { transactionid: '0' },
    },
  },
  {
    what: 'an error that calls itself a decline and has an authorization code and an id',
    from: activeMerchant('merchant_one'),
    body: 'response=3&responsetext=DECLINE&authcode=123456&transactionid=281719471&avsresponse=&cvvresponse=M&orderid=&type=sale&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'DECLINE',
      transactionid: '281719471',
      cvv: 'M',
    },
  },
  {
    what: 'a duplicate, with its spaces escaped and its colon not',
    from: unnamed('NMI provider, vitest'),
    body: 'response=3&responsetext=Duplicate+transaction+REFID:1',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Duplicate transaction REFID:1',
      transactionid: '',
    },
  },
  {
    what: 'a duplicate, all escaped',
    from: 'open-rails/openrails (unnamed excerpt of its Go tests)',
    body: 'response=3&responsetext=Duplicate+transaction+REFID%3A3187654321&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Duplicate transaction REFID:3187654321',
      transactionid: '',
    },
  },
  {
    what: 'an unknown vault id, and two ids 0',
    from: unnamed('string helpers, JUnit'),
    body: 'response=3&responsetext=Invalid Customer Vault Id REFID:101460773&authcode=&transactionid=0&avsresponse=&cvvresponse=&orderid=123&type=sale&response_code=300&customer_vault_id=0',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Invalid Customer Vault Id REFID:101460773',
      transactionid: '',
      fields: { transactionid: '0', customer_vault_id: '0' },
    },
  },
  {
    what: 'an error with brackets and a slash',
    from: 'aviabird/gringotts test/mocks/cams_mock.exs',
    body: 'response=3&responsetext=The cc payment type [Visa] and/or currency [INR] is not accepted REFID:3503238709&authcode=&transactionid=&avsresponse=&cvvresponse=&orderid=&type=auth&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'The cc payment type [Visa] and/or currency [INR] is not accepted REFID:3503238709',
      transactionid: '',
    },
  },
  {
    what: 'an error with a slash, a colon and two spaces',
    from: activeMerchant('cams'),
    body: 'response=3&responsetext=Invalid Transaction ID / Object ID specified:  REFID:3154293596&authcode=&transactionid=&avsresponse=&cvvresponse=&orderid=&type=capture&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Invalid Transaction ID / Object ID specified:  REFID:3154293596',
      transactionid: '',
    },
  },
  {
    what: 'an error whose spaces are escaped and whose slash is not',
    from: activeMerchant('payscout'),
    body: 'response=3&responsetext=Invalid+Transaction+ID+/+Object+ID+specified:++REFID:4054567&authcode=&transactionid=&avsresponse=&cvvresponse=&orderid=1&type=capture&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Invalid Transaction ID / Object ID specified:  REFID:4054567',
      transactionid: '',
    },
  },
  {
    what: 'an error that has an id',
    from: 'aviabird/gringotts test/mocks/cams_mock.exs',
    body: 'response=3&responsetext=Transaction not found REFID:3503243979&authcode=&transactionid=3921118690&avsresponse=&cvvresponse=&orderid=&type=capture&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Transaction not found REFID:3503243979',
      transactionid: '3921118690',
    },
  },
  {
    what: 'a card checked, with an empty text',
    from: activeMerchant('cams'),
    body: 'response=1&responsetext=&authcode=&transactionid=2656803675&avsresponse=&cvvresponse=&orderid=&type=verify&response_code=100',
    expected: {
      approved: true,
      response: '1',
      responsetext: '',
      transactionid: '2656803675',
    },
  },
  {
    what: 'wrong credentials: an authentication that failed, and the id 0',
    from: unnamed('SixCRM, NMI controller'),
    body: 'response=3&responsetext=Authentication Failed&authcode=&transactionid=0&avsresponse=&cvvresponse=&orderid=&type=validate&response_code=300',
    expected: {
      approved: false,
      response: '3',
      responsetext: 'Authentication Failed',
      transactionid: '',
      fields: { transactionid: '0' },
    },
  },
  {
    what: 'a customer added, without a transaction',
    from: activeMerchant('nmi'),
    body: 'response=1&responsetext=Customer Added&authcode=&transactionid=&avsresponse=&cvvresponse=&orderid=bc28d976f4eb7d379c0dffb5a21342ca&type=&response_code=100&customer_vault_id=256806849',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'Customer Added',
      transactionid: '',
      fields: { customer_vault_id: '256806849' },
    },
  },
  {
    what: 'a customer added, escaped as %20, and the id 0',
    from: unnamed('Braintree gateway response, Rails'),
    body: 'response=1&responsetext=Customer%20Added&authcode=&transactionid=0&avsresponse=&cvvresponse=&orderid=123456&type=&response_code=100&customer_vault_id=1154835797&username=000000&time=20080402213642&amount=50.0&hash=75b4c62134e0bf50bccb3e668f6df291',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'Customer Added',
      transactionid: '',
      fields: {
        transactionid: '0',
        customer_vault_id: '1154835797',
        username: '000000',
        time: '20080402213642',
        amount: '50.0',
        hash: '75b4c62134e0bf50bccb3e668f6df291',
      },
    },
  },
  {
    what: 'a customer added, escaped as +, with the card, and the id 0',
    from: unnamed('NMI client, Playwright'),
    body: 'response=1&responsetext=Customer+Added&authcode=&transactionid=0&avsresponse=&cvvresponse=&orderid=&type=&response_code=100&customer_vault_id=1497262939&cc_number=4xxxxxxxxxxx1111&cc_exp=1027&cc_type=visa',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'Customer Added',
      transactionid: '',
      fields: {
        transactionid: '0',
        customer_vault_id: '1497262939',
        cc_number: '4xxxxxxxxxxx1111',
        cc_exp: '1027',
        cc_type: 'visa',
      },
    },
  },
  {
    what: 'a sale after 3-D Secure, whose id is a UUID',
    from: activeMerchant('nmi'),
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=97267598-FAE6-48F2-8083-C23433990FBC&avsresponse=&cvvresponse=&orderid=b6c1c57f709cfaa65a5cf5b8532ad181&type=&response_code=100',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '97267598-FAE6-48F2-8083-C23433990FBC',
    },
  },
  {
    what: 'a sale with the fields of 3-D Secure, one of which ends in an equals sign',
    from: 'made here: fields of the excerpt above, values of activemerchant nmi_test.rb',
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=2762757840&avsresponse=Y&cvvresponse=M&orderid=&type=sale&response_code=100&three_ds_version=2.1.0&eci=05&cavv=jJ81HADVRtXfCBATEp01CJUAAAA=&directory_server_id=97267598-FAE6-48F2-8083-C23433990FBC',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '2762757840',
      avs: 'Y',
      cvv: 'M',
      fields: {
        authcode: '123456',
        three_ds_version: '2.1.0',
        eci: '05',
        cavv: 'jJ81HADVRtXfCBATEp01CJUAAAA=',
        directory_server_id: '97267598-FAE6-48F2-8083-C23433990FBC',
      },
    },
  },
  {
    what: 'an approval and nothing else',
    from: unnamed('SixCRM, NMI controller'),
    body: 'response=1',
    expected: {
      approved: true,
      response: '1',
      responsetext: '',
      transactionid: '',
    },
  },
  {
    what: 'a decline and nothing else',
    from: 'open-rails/openrails (unnamed excerpt of its Go tests)',
    body: 'response=2',
    expected: {
      approved: false,
      response: '2',
      responsetext: '',
      transactionid: '',
    },
  },
  {
    what: 'an error without a text, its id in the middle',
    from: unnamed('ActiveMerchant integrations, Braintree return'),
    body: 'orderid=order-1&amount=25.00&response=3&transactionid=transaction-1&avsresponse=Y&cvvresponse=M&customer_vault_id=customer-1&time=20090717181533&hash=f5dbe66043f150c2c41dc77d3c62f96d',
    expected: {
      approved: false,
      response: '3',
      responsetext: '',
      transactionid: 'transaction-1',
      avs: 'Y',
      cvv: 'M',
      fields: {
        amount: '25.00',
        customer_vault_id: 'customer-1',
        time: '20090717181533',
        hash: 'f5dbe66043f150c2c41dc77d3c62f96d',
      },
    },
  },
  {
    what: 'a comma, an apostrophe and parentheses',
    from: 'made here: none of the suites has one',
    body: "response=2&responsetext=Do not honour, call the cardholder's bank (05)&authcode=&transactionid=2762766726&avsresponse=U&cvvresponse=P&orderid=&type=sale&response_code=201",
    expected: {
      approved: false,
      response: '2',
      responsetext: "Do not honour, call the cardholder's bank (05)",
      transactionid: '2762766726',
      avs: 'U',
      cvv: 'P',
    },
  },
  {
    what: 'an ampersand that is not escaped',
    from: 'made here: none of the suites has one',
    body: 'response=2&responsetext=Declined by Marks & Co&authcode=&transactionid=2762766727&avsresponse=&cvvresponse=&orderid=&type=sale&response_code=200',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'Declined by Marks & Co',
      transactionid: '2762766727',
    },
  },
  {
    what: 'an escaped ampersand and equals sign',
    from: 'made here: none of the suites has one',
    body: 'response=2&responsetext=Marks+%26+Co%3A+code%3D05&authcode=&transactionid=2762766728&avsresponse=&cvvresponse=&orderid=&type=sale&response_code=200',
    expected: {
      approved: false,
      response: '2',
      responsetext: 'Marks & Co: code=05',
      transactionid: '2762766728',
    },
  },
  {
    what: 'a percent and a plus sign that are not escaped',
    from: 'made here: none of the suites has one',
    body: 'response=2&responsetext=100% of 1+1 declined&authcode=&transactionid=2762766729&avsresponse=&cvvresponse=&orderid=&type=sale&response_code=200',
    expected: {
      approved: false,
      response: '2',
      responsetext: '100% of 1+1 declined',
      transactionid: '2762766729',
    },
  },
  {
    what: 'a newline at the end',
    from: 'made here: none of the suites has one',
    body: 'response=1&responsetext=SUCCESS&authcode=123456&transactionid=2762757841&avsresponse=Y&cvvresponse=M&orderid=&type=sale&response_code=100\r\n',
    expected: {
      approved: true,
      response: '1',
      responsetext: 'SUCCESS',
      transactionid: '2762757841',
      avs: 'Y',
      cvv: 'M',
      fields: { authcode: '123456' },
    },
  },
];
