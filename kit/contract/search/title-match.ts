// The first sign of each letter in the order of Chinese pinyin; no sound begins with i, u or v.
const first_signs = [...'阿八嚓哒妸发旮哈讥咔垃呣拏噢妑七呥仨他屲夕丫帀']
const letters = [...'abcdefghjklmnopqrstwxyz']

/** The other letter of signs that are read in two ways; the order of pinyin knows only one. */
const second_letters: Record<string, string> = {
  弹: 't', 调: 't', 行: 'h', 重: 'c', 长: 'z', 会: 'k', 校: 'j', 传: 'z', 乐: 'y', 参: 's', 单: 's', 降: 'x', 率: 's', 朝: 'c', 藏: 'z',
}

const order = new Intl.Collator('zh-Hans-CN')
const known = new Map<string, string>()

/**
 * How well a title fits what somebody typed: 0 begins with it, 1 holds it, 2 its pinyin initials begin with it, 3 they hold it; null when
 * neither does. Case, blanks and full-width letters make no difference.
 */
export function rankTitle(title: string, typed: string): 0 | 1 | 2 | 3 | null {
  const [name, text] = [folded(title), folded(typed)]
  if (text === '') return 0
  const at = name.indexOf(text)
  if (at >= 0) return at === 0 ? 0 : 1
  const initials = [...name].map(lettersOf)
  const found = initials.findIndex((_, from) => [...text].every((letter, step) => initials[from + step]?.includes(letter)))
  if (found < 0) return null
  return found === 0 ? 2 : 3
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/[\s·/]/g, '')
}

/** The letters with which the sound of a sign may begin; any other character stands for itself. */
function lettersOf(sign: string): string {
  const before = known.get(sign)
  if (before !== undefined) return before
  const at = /\p{Script=Han}/u.test(sign) ? first_signs.findLastIndex(first => order.compare(sign, first) >= 0) : -1
  const found = (letters[at] ?? sign) + (second_letters[sign] ?? '')
  known.set(sign, found)
  return found
}
