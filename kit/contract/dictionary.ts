/** A closed set of codes the program branches on; everything else of the dictionaries is data. */
export type Dictionary<T extends Record<string, string>> = {
  sc_code_type: string
  names: T
  codes: (keyof T & string)[]
}

/** Declares the codes of one dictionary type: `dict('SEX', { '1': '男', '2': '女' })`. */
export function dict<const T extends Record<string, string>>(sc_code_type: string, names: T): Dictionary<T> {
  return { sc_code_type, names, codes: Object.keys(names) }
}
