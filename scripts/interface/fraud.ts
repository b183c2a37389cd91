/** Parses the fraud protection of the interface: codes, scores and targets. */

import { captured, cell, codesIn, lineWith, sectionOf, tableOf } from './markdown.ts';

const targetsOf = (page: string) =>
  tableOf(sectionOf(page, '1. What the service does'), 'Metric').map((row) => {
    const [threshold = '', action = ''] = cell(row, 'Action threshold').split(': ');
    return { metric: cell(row, 'Metric'), target: cell(row, 'Target'), threshold, action };
  });

const avsOf = (section: string) =>
  tableOf(section.slice(section.indexOf('`avsresponse` codes:')), 'Code').map((row) => ({
    code: cell(row, 'Code'),
    meaning: cell(row, 'Meaning'),
    street: cell(row, 'Street'),
    zip: cell(row, 'ZIP'),
    recommendation: cell(row, 'Recommendation'),
  }));

const bandsOf = (section: string) =>
  tableOf(section, 'Score').map((row) => {
    const [from = '', to = ''] = cell(row, 'Score').split('-');
    return {
      from: Number(from),
      to: Number(to),
      level: cell(row, 'Risk level'),
      recommendation: cell(row, 'Recommendation'),
    };
  });

const reasonsOf = (section: string) =>
  tableOf(section.slice(section.indexOf('Chargeback reason codes:')), 'Code').map((row) => ({
    code: cell(row, 'Code'),
    meaning: cell(row, 'Meaning'),
  }));

/** Returns codes with their meanings on one line, such as "`A` (approve)" or "`M` = match". */
const codesWithMeanings = (line: string) =>
  [...line.matchAll(/`([A-Z])` (?:= (\w+)|\((\w+)\))/g)].map(([, code = '', equal, inParentheses]) => ({
    code,
    meaning: equal ?? inParentheses ?? '',
  }));

/** The typical velocity rules, such as "at most 3 transactions per card per 10 minutes". */
const velocityOf = (section: string) =>
  [
    ...lineWith(section, 'Velocity rules are configured').matchAll(
      /at most (\d+)(?: ([a-z ]+?))? per (\w+) per ((?:\d+ )?\w+)/g,
    ),
  ].map(([, limit, counts, per = '', window = '']) => ({
    limit: Number(limit),
    ...(counts !== undefined && { counts }),
    per,
    window,
  }));

export function readFraud(page: string) {
  const section = sectionOf(page, 'Fraud-related fields on the transaction endpoint');
  const pairs = captured(lineWith(section, 'AVS/CVV pairs'), /pairs are: ([^.]*)\./);
  return {
    targets: targetsOf(page),
    avs: avsOf(section),
    cvv: codesWithMeanings(lineWith(section, '`cvvresponse`:')),
    riskBands: bandsOf(section),
    riskDecisions: codesWithMeanings(lineWith(section, '`risk_decision` is one of')),
    chargebackReasons: reasonsOf(section),
    testScores: [...lineWith(section, 'test email patterns').matchAll(/\b(\d+) \(/g)].map(([, score]) =>
      Number(score),
    ),
    testCardPairs: [...pairs.matchAll(/\b([A-Z])\/([A-Z])\b/g)].map(([, avs, cvv]) => ({ avs, cvv })),
    threeDSecureOutcomes: captured(section, /3-D Secure outcomes are: ([^.]*)\./).split(', '),
    velocity: velocityOf(section),
    approved: captured(section, /`response` = `(\w+)` means approved/),
    parameters: codesIn(captured(section, /Request parameters \(form-style\): ([^.]*)\./)),
    response: codesIn(captured(section, /Response fields: ([^.]*)\./)),
  };
}
