-- The six figures of fraud, for a large table or a dashboard on PostgreSQL. `fraudFigures(row.counts)` adds the status to each.
-- Keep one row for each payment, and a separate row for an authentication without a payment.

CREATE TABLE card_payments (
  id text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  approved boolean,       -- null in a row that is no transaction
  avsresponse text,
  cvvresponse text,
  risk_score integer CHECK (risk_score BETWEEN 0 AND 100),
  authenticated boolean,  -- by 3-D Secure; null while a challenge is open
  chargeback_reason text, -- the reason_code of its chargeback; '' if you do not know it
  is_fraud boolean        -- what you found yourself; null leaves it to chargeback_reason
);

WITH counts AS (
  SELECT
    count(*) FILTER (WHERE approved) AS transactions,
    count(*) FILTER (WHERE approved IS NOT FALSE AND coalesce(is_fraud, chargeback_reason LIKE '10.%')) AS frauds,
    count(chargeback_reason) AS chargebacks,
    count(authenticated) AS authentications,
    count(*) FILTER (WHERE authenticated) AS authenticated,
    count(*) FILTER (WHERE avsresponse IN ('X', 'Y', 'A', 'W', 'Z', 'N')) AS "avsChecked",
    count(*) FILTER (WHERE avsresponse IN ('X', 'Y')) AS "avsMatched",
    count(*) FILTER (WHERE cvvresponse IN ('M', 'N')) AS "cvvChecked",
    count(*) FILTER (WHERE cvvresponse = 'M') AS "cvvMatched",
    count(risk_score) AS scored,
    coalesce(sum(risk_score), 0) AS "scoreSum"
  FROM card_payments
  WHERE created_at >= now() - interval '30 days'
)
SELECT
  to_json(counts) AS counts,
  frauds::float8 / nullif(transactions, 0) AS fraud_rate,
  chargebacks::float8 / nullif(transactions, 0) AS chargeback_rate,
  authenticated::float8 / nullif(authentications, 0) AS three_d_secure_success,
  "avsMatched"::float8 / nullif("avsChecked", 0) AS avs_match_rate,
  "cvvMatched"::float8 / nullif("cvvChecked", 0) AS cvv_match_rate,
  "scoreSum"::float8 / nullif(scored, 0) AS average_fraud_score
FROM counts;
