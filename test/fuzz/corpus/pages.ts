/** Pages of a list. A name begins with the ending that is required. */
export const pages = {
  'PaginationError.cursor-as-number':
    '{"data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":true,"next_cursor":7}',
  'PaginationError.empty-cursor':
    '{"data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":true,"next_cursor":""}',
  'PaginationError.has-more-as-number': '{"data":[],"has_more":0}',
  'PaginationError.has-more-as-text': '{"data":[],"has_more":"false"}',
  'PaginationError.has-more-in-another-case': '{"data":[],"hasMore":false,"HAS_MORE":false}',
  'PaginationError.has-more-null': '{"data":[],"has_more":null}',
  'PaginationError.has-more-of-proto': '{"__proto__":{"has_more":false},"data":[]}',
  'PaginationError.no-cursor':
    '{"data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":true}',
  'PaginationError.no-has-more': '{"data":[{"id":"prod_1","object":"product","livemode":false}]}',
  'ResponseValidationError.bare-list': '[{"id":"prod_1","object":"product","livemode":false}]',
  'ResponseValidationError.cut-short':
    '{"data":[{"id":"prod_1","object":"product","livemode":false},{"id":"pr',
  'ResponseValidationError.empty': '',
  'ResponseValidationError.html-page': '<html><title>Sign in</title></html>',
  'ResponseValidationError.item-without-id':
    '{"data":[{"id":"prod_1","object":"product","livemode":false},{"object":"product","livemode":false,"name":"Tea"}],"has_more":false}',
  'ResponseValidationError.nested-page':
    '{"data":{"data":[{"id":"prod_1","object":"product","livemode":false}]},"has_more":false}',
  'ResponseValidationError.no-array':
    '{"data":{"0":{"id":"prod_1","object":"product","livemode":false},"length":1},"has_more":false}',
  'ResponseValidationError.null-item':
    '{"data":[{"id":"prod_1","object":"product","livemode":false},null],"has_more":false}',
  'ResponseValidationError.proto-array': '{"__proto__":{"data":[]},"has_more":false}',
  'ResponseValidationError.two-arrays': '{"rows":[],"others":[],"has_more":false}',
  'complete.cursor-of-last-page':
    '{"data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":false,"next_cursor":"prod_1"}',
  'complete.data':
    '{"object":"list","data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":false}',
  'complete.data-beside-another-array':
    '{"warnings":[],"data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":false}',
  'complete.empty': '{"data":[],"has_more":false}',
  'complete.items':
    '{"items":[{"id":"prod_1","object":"product","livemode":false}],"has_more":false,"next_cursor":null}',
  'complete.only-array':
    '{"rows":[{"id":"prod_1","object":"product","livemode":false}],"has_more":false,"total":1}',
  'complete.own-name':
    '{"products":[{"id":"prod_1","object":"product","livemode":false},{"id":"prod_2","object":"product","livemode":false}],"has_more":false}',
  'complete.twin-has-more': '{"has_more":true,"data":[],"next_cursor":"a","has_more":false}',
  'more.cursor':
    '{"data":[{"id":"prod_1","object":"product","livemode":false}],"has_more":true,"next_cursor":"prod_1"}',
  'more.empty-page': '{"data":[],"has_more":true,"next_cursor":"prod_0"}',
  'more.strange-cursor': '{"data":[],"has_more":true,"next_cursor":"a b&limit=1#\\u0000\\ud83c\\udf75=%%2F"}',
};
