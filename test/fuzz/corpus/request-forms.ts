/** Bodies that the form endpoint of the sandbox receives. Those of a name with `multipart` are multipart forms. */
export const requestForms = {
  'amount-exponent': 'security_key=security-key-fuzz-0001&type=sale&amount=1e5&payment_token=t',
  'amount-huge':
    'security_key=security-key-fuzz-0001&type=sale&amount=99999999999999999999.99&payment_token=t',
  'amount-negative': 'security_key=security-key-fuzz-0001&type=sale&amount=-1.00&payment_token=t',
  'amount-of-many-digits':
    'security_key=security-key-fuzz-0001&type=sale&amount=1.000000000001&payment_token=t',
  ampersands: '&&&===&=&',
  auth: 'security_key=security-key-fuzz-0001&type=auth&amount=1&payment_token=t&cavv=x&xid=y&eci=05&cardholder_auth=verified',
  'bare-percent':
    'security_key=security-key-fuzz-0001&type=sale&amount=1.00%&payment_token=%zz%ff&orderid=%00',
  capture: 'security_key=security-key-fuzz-0001&type=capture&transactionid=1&amount=1.00',
  card: 'security_key=security-key-fuzz-0001&type=sale&amount=12.00&ccnumber=4111111111111111&ccexp=1230&cvv=123&ipaddress=1.2.3.4',
  credit: 'security_key=security-key-fuzz-0001&type=credit&amount=0.01&payment_token=t',
  empty: '',
  'line-breaks':
    'security_key=security-key-fuzz-0001&type=sale&amount=1.00&payment_token=t&orderid=a%0d%0aresponse=1',
  many: `security_key=security-key-fuzz-0001&${Array.from({ length: 300 }, (_, n) => `f${n}=${n}`).join('&')}`,
  'multipart.file':
    '--b\r\nContent-Disposition: form-data; name="security_key"; filename="x"\r\nContent-Type: text/plain\r\n\r\nsecurity-key-fuzz-0001\r\n--b--\r\n',
  'multipart.no-end': '--b\r\nContent-Disposition: form-data; name="type"\r\n\r\nsale',
  'multipart.no-name': '--b\r\nContent-Disposition: form-data\r\n\r\nsale\r\n--b--\r\n',
  'multipart.sale':
    '--b\r\nContent-Disposition: form-data; name="security_key"\r\n\r\nsecurity-key-fuzz-0001\r\n--b\r\nContent-Disposition: form-data; name="type"\r\n\r\nsale\r\n--b\r\nContent-Disposition: form-data; name="amount"\r\n\r\n1.00\r\n--b\r\nContent-Disposition: form-data; name="payment_token"\r\n\r\ntok_1\r\n--b--\r\n',
  proto: 'security_key=security-key-fuzz-0001&type=__proto__&__proto__=x&constructor=y',
  refund: 'security_key=security-key-fuzz-0001&type=refund&transactionid=1&amount=9999999999999.99',
  sale: 'security_key=security-key-fuzz-0001&type=sale&amount=12.00&payment_token=tok_1&orderid=1&email=a%40b.c',
  twin: 'security_key=security-key-fuzz-0001&type=sale&type=refund&amount=1.00&amount=2.00&payment_token=t',
  validate: 'security_key=security-key-fuzz-0001&type=validate&ccnumber=4111111111111111&ccexp=1230',
  void: 'security_key=security-key-fuzz-0001&type=void&transactionid=1',
  'wrong-key': 'security_key=x&type=sale&amount=1.00&payment_token=t',
};
