/** First signs that a spreadsheet may take for a formula, half and full width. */
const risky = /^'*[=+\-@＝＋－＠\t\r]/
const quoted = /^'+[=+\-@＝＋－＠\t\r]/

/**
 * Puts a single quote before text that a spreadsheet could run as a formula. Text that already has such a quote gets one
 * more, so that `unquoteText` gives back exactly what was written.
 */
export function quoteText(text: string): string {
  return risky.test(text) ? `'${text}` : text
}

/** Takes off the quote that `quoteText` put on; any other leading quote is the user's own and stays. */
export function unquoteText(text: string): string {
  return quoted.test(text) ? text.slice(1) : text
}
