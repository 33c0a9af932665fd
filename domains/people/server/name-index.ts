import { pinyin } from 'pinyin-pro'

/** What a name is searched and sorted by: all syllables in one word, and their first letters; both lower case. */
export type NameIndex = { name_py: string; name_initials: string }

/** Index of a person's name. The surname is read as a surname (单 shàn, 仇 qiú); signs without pinyin stay as they are. */
export function nameIndex(user_name: string): NameIndex {
  const parts = pinyin(user_name, { toneType: 'none', type: 'array', surname: 'head', nonZh: 'consecutive', v: true })
  const words = parts.flatMap(part => plain(part).split(/[^\p{L}\p{N}]+/u)).filter(word => word !== '')
  return { name_py: words.join(''), name_initials: words.map(word => [...word][0] ?? '').join('') }
}

/** Lower case without accents: what somebody types who looks for `Müller`. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize('NFC').toLowerCase()
}
