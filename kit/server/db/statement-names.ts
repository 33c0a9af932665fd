/** A text that was sent so often gets a name, and no more texts than these: a session keeps some ten kilobytes for each. */
const [often, most_names, most_texts] = [8, 120, 2000]
/** Its columns change with the table, and a kept statement refuses that. */
const all_columns = /select \*|\.\*|returning \*/

/**
 * Names for statements that come again and again: the server reads such a text once a session. It plans each time anew, by its values (`plan_cache_mode`).
 * @returns what a text is kept under; undefined for one that is not kept
 */
export function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  let counts = new Map<string, number>()
  return text => {
    const known = names.get(text)
    if (known !== undefined || names.size >= most_names) return known
    const sent = (counts.get(text) ?? 0) + 1
    if (counts.size >= most_texts) counts = new Map()
    counts.set(text, sent)
    if (sent < often || all_columns.test(text)) return undefined
    const name = `often_${names.size + 1}`
    names.set(text, name)
    return name
  }
}
