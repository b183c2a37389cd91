<?php
// Answers what PHP made of a form, byte by byte: base64 passes every encoding on the way back unchanged.
// A transaction of type "echo" is answered in PHP's own form encoding instead, with every field as it came.

if (($_POST['type'] ?? '') === 'echo') {
    header('Content-Type: text/html; charset=UTF-8');
    echo http_build_query(['response' => '1'] + $_POST);
    return;
}

$received = [];
foreach ($_POST as $name => $value) {
    // A field such as "a[]" is an array.
    $received[] = [base64_encode((string) $name), base64_encode(is_array($value) ? json_encode($value) : $value)];
}
header('Content-Type: application/json');
echo json_encode([
    'response' => 1,
    'received' => $received,
    'files' => count($_FILES),
    'contentType' => $_SERVER['CONTENT_TYPE'] ?? '',
]);
