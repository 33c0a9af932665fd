// Server only: the list is of no use in a browser and would only make its download longer.
import type { Verdict } from './verdict.ts'

const TOO_SIMPLE = '密码过于简单，请更换'
const SHORTEST_FACT = 4

/** What a password must not contain; absent and short (under 4 signs) facts are not looked for. */
export interface PasswordOwner {
  account?: string
  user_no?: string
  phone?: string
  /** `YYYY-MM-DD`. */
  birthday?: string
  /** Name of the school in pinyin without blanks: `qimingshiyanxuexiao`. */
  school_pinyin?: string
  /** Initials of that pinyin: `qmsyxx`. */
  school_initials?: string
}

const WORDS = ('password passwd admin administrator root welcome login letmein qwerty qwertyuiop asdfgh asdf zxcvbn zxcv qwer qaz qazwsx '
  + 'iloveyou woaini aini zhongguo china beijing shanghai laoshi xuesheng xuexiao teacher student school campus system '
  + 'manager master monkey dragon sunshine princess football superman michael hello test user guest abc abcd abcdef aa '
  + 'zhang wang li liu chen yang zhao huang zhou wu computer internet summer winter spring autumn').split(' ')
const TAILS = ('1 12 123 1234 12345 123456 1234567 12345678 123456789 321 654321 000 000000 111 111111 112233 123123 123321 '
  + '666 666666 888 888888 520 5201314 1314 147258 2020 2021 2022 2023 2024 2025 2026').split(' ')
const JOINTS = ['', '@', '!', '#', '_', '.']
const ENDS = ['', '!', '@', '#']
const WALKS = ('1qaz2wsx 1qaz@wsx !qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4 qwer1234 1234qwer asdf1234 zaq12wsx zxcv1234 qaz123wsx '
  + '1qazxsw2 2wsx3edc qweasd123 qwe123asd asd123qwe zxc123asd 1a2b3c4d a1b2c3d4 p@ssw0rd pa$$w0rd passw0rd').split(' ')

/** Over three thousand passwords that people choose first, in lower case, built from patterns; each fits the rule of three kinds once a letter is a capital. */
export const commonPasswords: ReadonlySet<string> = new Set([...wordPasswords(), ...walkPasswords()].filter(fitsRule))

/**
 * Whether a new password is among the common ones (case-blind) or contains its owner's account, number, phone, birth date or
 * school (platform rule P5). Runs after `checkNewPassword`.
 */
export function tooSimple(value: string, owner: PasswordOwner): Verdict {
  const lower = value.toLowerCase()
  if (commonPasswords.has(lower)) return TOO_SIMPLE
  return factsOf(owner).some((fact) => lower.includes(fact)) ? TOO_SIMPLE : null
}

function* wordPasswords(): Generator<string> {
  for (const word of WORDS) {
    for (const tail of TAILS) {
      for (const joint of JOINTS) yield word + joint + tail
      for (const end of ENDS) yield word + tail + end
    }
  }
}

function* walkPasswords(): Generator<string> {
  for (const walk of WALKS) {
    for (const tail of ['', '1', '12', '123', '1234', ...ENDS]) yield walk + tail
  }
}

// A shorter one, or one of letters or digits alone, never gets past `checkNewPassword`: listing it would be weight only.
function fitsRule(password: string): boolean {
  return password.length >= 8 && /[a-z]/.test(password) && /[0-9]/.test(password)
}

function factsOf(owner: PasswordOwner): string[] {
  const { birthday = '', ...texts } = owner
  const [year = '', month = '', day = ''] = birthday.split('-')
  const dates = day === '' ? [] : [year + month + day, year.slice(2) + month + day, birthday, `${year}.${month}.${day}`, `${year}/${month}/${day}`]
  return [...Object.values(texts), ...dates]
    .filter((fact) => typeof fact === 'string' && fact.length >= SHORTEST_FACT)
    .map((fact) => fact.toLowerCase())
}
