import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '@campus/identity/server'
import { atLeast, atMost, milliseconds, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { percentile } from '../measure.ts'
import { startProbe } from '../probe.ts'
import { startProduct } from '../product.ts'
import type { Product } from '../product.ts'
import { install } from '../school.ts'
import { enter, sealLogin, tryLogin } from '../sign-in.ts'
import type { Sealed } from '../sign-in.ts'

const school_id = 1001
const password = 'Qw8#rTy2pL'
const own_rates = { CAMPUS_CAPTCHA_PER_MINUTE: '1000', CAMPUS_ANONYMOUS_PER_MINUTE: '3000', CAMPUS_USER_PER_MINUTE: '600', CAMPUS_LOGIN_FAILS_PER_MINUTE: '20' }
const allowed_fails = 20
const stranger = '127.0.0.2'
const guess_ms = 200

/** A whole school signs in from one address in the morning. */
export const login: Figure = {
  name: 'login',
  title: 'A school signs in from one address',
  how: 'Three hundred people of one school sign in within 60 s (captcha, password, session), all from one address under the default rates, while another address guesses passwords all the time. /livez is asked every 20 ms from a thread of its own: what hashing holds up, it shows.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const people = bench.quick ? 60 : 300
  const window_ms = people * 200
  const product = await prepare(bench, people)
  const quiet = startProbe(`${product.url}/livez`, { pause_ms: 20 })
  await sleep(3000)
  const idle = await quiet.stop()
  const probe = startProbe(`${product.url}/livez`, { pause_ms: 20 })
  const guessing = guess(product.url, window_ms)
  const begun = performance.now()
  const outcomes = await Promise.all(Array.from({ length: people }, (_, at) => oneLogin(product.url, at, window_ms / people)))
  const took = performance.now() - begun
  const lag = await probe.stop()
  const guesses = await guessing
  const pressed = startProbe(`${product.url}/livez`, { pause_ms: 20 })
  const burst = await burstOf(product.url, Math.min(people, 60))
  const burst_lag = await pressed.stop()
  const neighbour = await afterOwnGuesses(product.url)
  await product.stop()
  const good = outcomes.flatMap(outcome => outcome.ms ?? [])
  const failures = outcomes.flatMap(outcome => outcome.error ?? [])
  const minutes = Math.ceil(window_ms / 60_000) + 1
  return [
    atLeast(`good logins of ${people} that succeed`, good.length, people, String, '10-A24'),
    ...failures.slice(0, 1).map(error => reported('first failure', error)),
    atMost('they are all in after', took, window_ms + 2000, seconds, '10-A24'),
    atMost('p95 of one login', good.length > 0 ? percentile(good, 0.95) : Number.POSITIVE_INFINITY, 2000, milliseconds, '10-A24'),
    atMost(`guesses of ${guesses.tried} that were judged, the others 429`, guesses.judged, allowed_fails * minutes, String, '10-A24'),
    atLeast('guesses refused as too fast', guesses.refused, 1, String, '10-A24'),
    atMost('p99 of /livez meanwhile', percentile(lag, 0.99), 50, milliseconds, '10-A24'),
    reported('p99 of /livez at rest', milliseconds(percentile(idle, 0.99))),
    reported('logins a second, 16 at once', burst.toFixed(1)),
    reported('p99 of /livez with 16 at once', milliseconds(percentile(burst_lag, 0.99))),
    reported(`a good login after ${allowed_fails} wrong guesses from its own address within the minute`, neighbour),
  ]
}

/** People 1 … n with one password and one role each. */
async function prepare(bench: Bench, people: number): Promise<Product> {
  const installed = await install('postgres', bench)
  const { app, settings } = installed
  const { role_code } = await app.as({ school_id, codes: 'all', scope: 'all', role_code: 'CUS_BENCH' })
  const hash = await hashPassword(password)
  await installed.exec(`
    create temp table made as select nextval('subject_id_seq') as user_id, i from generate_series(1, ${people}) i;
    insert into account (user_id, username, password_hash, pwd_state, pwd_set_at, pwd_grade) select user_id, 'bench' || lpad(i::text, 5, '0'), '${hash}', 1, now(), 2 from made;
    insert into account_school (user_id, school_id) select user_id, ${school_id} from made;
    insert into school_user (school_id, user_id, user_no, user_name, user_kind) select ${school_id}, user_id, 'B' || i, '同学' || i, 2 from made;
    insert into role_member (school_id, role_id, user_id, valid_from, source)
      select ${school_id}, r.role_id, m.user_id, now() - interval '1 day', 'manual' from made m, role r where r.school_id = ${school_id} and r.code = '${role_code}'`)
  await app.running.close()
  return startProduct({ ...settings, ...own_rates })
}

/** One person, due at a place in the window; a refusal is an outcome, not an error of the run. */
async function oneLogin(url: string, at: number, every_ms: number): Promise<{ ms?: number; error?: string }> {
  await sleep(at * every_ms)
  try {
    const { ms } = await enter(url, await sealLogin(url, accountOf(at), password))
    return { ms }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Wrong passwords for one account after another, from another address, until the time is up. */
async function guess(url: string, for_ms: number): Promise<{ tried: number; judged: number; refused: number }> {
  const found = { tried: 0, judged: 0, refused: 0 }
  const until = performance.now() + for_ms
  while (performance.now() < until) {
    const { status } = await tryLogin(url, await sealLogin(url, `stranger${found.tried}`, 'Wrong#Pass1', stranger), stranger)
    found.tried += 1
    if (status === 429) found.refused += 1
    else found.judged += 1
    await sleep(guess_ms)
  }
  return found
}

/** As many logins as go through, sixteen at once; the captchas are made before. */
async function burstOf(url: string, count: number): Promise<number> {
  const sealed: Sealed[] = []
  for (let at = 0; at < count; at += 1) sealed.push(await sealLogin(url, accountOf(at), password))
  const begun = performance.now()
  const lane = async () => {
    for (let next = sealed.pop(); next; next = sealed.pop()) await enter(url, next)
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return (count / (performance.now() - begun)) * 1000
}

/** What a good login meets when somebody behind the same address has just used up the wrong guesses of the minute. */
async function afterOwnGuesses(url: string): Promise<string> {
  for (let at = 0; at < allowed_fails; at += 1) await tryLogin(url, await sealLogin(url, `neighbour${at}`, 'Wrong#Pass1'))
  const { status } = await tryLogin(url, await sealLogin(url, accountOf(0), password))
  return `HTTP ${status}`
}

function accountOf(at: number): string {
  return `bench${String(at + 1).padStart(5, '0')}`
}
