import { hashPassword } from '@campus/identity/server'
import { atMost, milliseconds, reported } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median } from '../measure.ts'
import { startProduct } from '../product.ts'
import type { Product } from '../product.ts'
import { install } from '../school.ts'
import { sealLogin, tryLogin } from '../sign-in.ts'

const password = 'Qw8#rTy2pL'
const wrong = 'Wrong#Pass1'
const most_apart_ms = 10
const lock_tries = 5
const own_rates = { CAMPUS_CAPTCHA_PER_MINUTE: '100000', CAMPUS_ANONYMOUS_PER_MINUTE: '100000', CAMPUS_LOGIN_FAILS_PER_MINUTE: '100000' }

/** Who is refused, and with which password: nobody may tell them apart by the clock. */
const kinds = [
  { name: 'wrong password', account: (at: number) => accountOf('open', at), password: wrong },
  { name: 'unknown user', account: (at: number) => accountOf('none', at), password: wrong },
  { name: 'locked', account: () => accountOf('lock', 1), password },
  { name: 'disabled', account: (at: number) => accountOf('shut', at), password },
] as const

/** Refused logins, which say the same and take the same time. */
export const loginRefused: Figure = {
  name: 'login-refused',
  title: 'Refused logins by the clock',
  how: 'Five hundred tries each, one after the other and in turn: a wrong password, an unknown user, a locked and a disabled account. The median of each against that of the wrong password; the captcha is fetched before and not counted.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const tries = bench.quick ? 20 : 500
  const product = await prepare(bench, tries)
  const lock = () => refusedAfter(product.url, accountOf('lock', 1), wrong)
  for (let at = 0; at < lock_tries; at += 1) await lock()
  const found = kinds.map((): number[] => [])
  for (let at = 1; at <= tries; at += 1) {
    // The lock lasts ten minutes, less than a slow run.
    if (at % 100 === 0) await lock()
    for (const [no, kind] of kinds.entries()) found[no]?.push(await refusedAfter(product.url, kind.account(at), kind.password))
  }
  await product.stop()
  const medians = found.map(median)
  const [usual = Number.NaN] = medians
  return [
    ...kinds.slice(1).map(({ name }, at) => atMost(`${name}: median apart from that of a wrong password`, Math.abs((medians[at + 1] ?? Number.NaN) - usual), most_apart_ms, milliseconds, '10-A5')),
    reported('wrong password, median', milliseconds(usual)),
  ]
}

/** Accounts `open…` and `shut…` as many as there are tries, so that none of them is locked, and the one to be locked. */
async function prepare(bench: Bench, tries: number): Promise<Product> {
  const { app, settings, exec } = await install('postgres', bench)
  const hash = await hashPassword(password)
  const add = (kind: string, count: number, enabled: boolean) => `
    insert into account (user_id, username, password_hash, pwd_state, pwd_set_at, pwd_grade, enabled)
      select nextval('subject_id_seq'), '${kind}' || lpad(i::text, 5, '0'), '${hash}', 1, now(), 2, ${enabled} from generate_series(1, ${count}) i;`
  await exec([add('open', tries, true), add('shut', tries, false), add('lock', 1, true)].join('\n'))
  await app.running.close()
  return startProduct({ ...settings, ...own_rates })
}

/** Milliseconds of one login that must be refused. */
async function refusedAfter(url: string, account: string, secret: string): Promise<number> {
  const { status, ms, text } = await tryLogin(url, await sealLogin(url, account, secret))
  if (status !== 422) throw new Error(`${account}: ${status} ${text.slice(0, 200)}`)
  return ms
}

function accountOf(kind: string, at: number): string {
  return `${kind}${String(at).padStart(5, '0')}`
}
