import { create } from 'zustand'

/** One entry of a dictionary as the server answers it. */
export type DictionaryEntry = { sc_code_type: string; sc_code_item: string; name: string; order: number; disabled?: 1 | undefined }

type Names = ReadonlyMap<string, readonly DictionaryEntry[]>

const useDictionaries = create<{ types: Names }>(() => ({ types: new Map() }))

/** Replaces all dictionaries of the session. */
export function setDictionaries(list: readonly DictionaryEntry[]): void {
  const types = new Map<string, DictionaryEntry[]>()
  for (const entry of list.toSorted((a, b) => a.order - b.order)) {
    const entries = types.get(entry.sc_code_type)
    if (entries) entries.push(entry)
    else types.set(entry.sc_code_type, [entry])
  }
  useDictionaries.setState({ types })
}

/** Options of one dictionary type in its order; what is out of use is not offered. */
export function useDictionary(sc_code_type: string): { value: string; label: string }[] {
  const entries = useDictionaries((state) => state.types.get(sc_code_type))
  return (entries ?? []).filter((entry) => entry.disabled === undefined).map((entry) => ({ value: entry.sc_code_item, label: entry.name }))
}

/** Name of a code; the code itself when the dictionary does not know it. */
export function dictionaryName(sc_code_type: string, code: string): string {
  const entries = useDictionaries.getState().types.get(sc_code_type)
  return entries?.find((entry) => entry.sc_code_item === code)?.name ?? code
}
