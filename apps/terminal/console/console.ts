import { loginFault, newPasswordFault } from '@kit/terminal-protocol/console'
import type { Entered, Fault, Greeting } from '@kit/terminal-protocol/console'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addDebugCalls } from './debug-calls.ts'
import type { Desk } from './desk.ts'
import { addDeviceCalls } from './device-calls.ts'
import { openPages, Refused } from './pages.ts'
import type { Listening, Opened } from './pages.ts'
import { isSame } from './sessions.ts'
import type { Session } from './sessions.ts'
import { addSettingsCalls } from './settings-calls.ts'

const day_s = 86_400
const [no_session, forbidden, refused, too_many] = [401, 403, 422, 429]
const Password = z.object({ password: z.string().max(64) })
const Change = z.object({ old: z.string().max(64), password: z.string().max(64), confirm: z.string().max(64) })
const open_calls = ['/api/greeting', '/api/login']
/** All that somebody may do who has yet to change the password that was drawn. */
const first_calls = ['/api/password', '/api/logout']

/** The console of a terminal at its HTTP port (chapter 31 §7): its pages, and under `/api/` its calls. */
export function openConsole(desk: Desk, listening: Listening): Promise<Opened> {
  return openPages('index.html', listening, app => {
    app.addHook('preHandler', async request => guard(desk, request))
    app.addHook('onSend', async (request, reply) => {
      if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    })
    addEntryCalls(app, desk)
    addDeviceCalls(app, desk)
    addSettingsCalls(app, desk)
    addDebugCalls(app, desk)
  })
}

/** A call takes a session, its secret word in a header where it changes something, and a password that is no longer the drawn one. */
function guard(desk: Desk, request: FastifyRequest): void {
  const path = request.url.split('?')[0] ?? ''
  if (!path.startsWith('/api/')) return
  const { origin, host } = request.headers
  if (origin !== undefined && origin !== `http://${host}`) throw new Refused(forbidden, { code: 'csrf' })
  if (open_calls.includes(path)) return
  const session = sessionOf(desk, request)
  if (!session) throw new Refused(no_session, { code: 'session' })
  if (request.method !== 'GET' && !isSame(String(request.headers['x-csrf']), session.csrf)) throw new Refused(forbidden, { code: 'csrf' })
  if (desk.must_change && !first_calls.includes(path)) throw new Refused(forbidden, { code: 'must_change' })
}

function addEntryCalls(app: FastifyInstance, desk: Desk): void {
  const { sessions, clock, terminal } = desk
  app.get('/api/greeting', (request): Greeting => {
    const session = sessionOf(desk, request)
    return { sn: terminal.sn, name: terminal.build.model, session: session ? { csrf: session.csrf, must_change: desk.must_change } : null }
  })
  app.post('/api/login', (request, reply): Entered => {
    const { password } = Password.parse(request.body)
    const fault = loginFault(password)
    if (fault) throw new Refused(refused, { code: fault })
    const entered = sessions.enter(password, desk.password, clock.now())
    if ('fault' in entered) {
      desk.note('warn', `login refused: ${entered.fault.code}`)
      throw new Refused(entered.fault.code === 'locked' ? too_many : refused, entered.fault)
    }
    desk.note('info', 'login')
    setCookie(desk, reply, entered.token, day_s)
    return { csrf: entered.session.csrf, must_change: desk.must_change }
  })
  app.post('/api/logout', (request, reply) => {
    sessions.leave(tokenOf(desk, request))
    setCookie(desk, reply, '', 0)
    return {}
  })
  app.post('/api/password', request => {
    const faults = changeFaults(desk, Change.parse(request.body))
    if (faults.length > 0) throw new Refused(refused, ...faults)
    desk.changePassword(Change.parse(request.body).password)
    sessions.endOthers(tokenOf(desk, request))
    return {}
  })
}

function changeFaults(desk: Desk, { old, password, confirm }: z.output<typeof Change>): Fault[] {
  if (old === '') return [{ code: 'password_empty', key: 'old' }]
  const wrong = desk.sessions.try(old, desk.password, desk.clock.now())
  if (wrong) return [{ ...wrong, code: wrong.code === 'password_wrong' ? 'old_wrong' : wrong.code, key: 'old' }]
  const fault = newPasswordFault(password)
  if (fault) return [{ code: fault, key: 'password' }]
  if (password === old) return [{ code: 'password_same', key: 'password' }]
  return password === confirm ? [] : [{ code: 'password_mismatch', key: 'confirm' }]
}

/** Cookies know no port: each terminal of a machine has its own name for it. */
function cookieOf(desk: Desk): string {
  return `console_${desk.terminal.sn}`
}

function setCookie(desk: Desk, reply: FastifyReply, token: string, age_s: number): void {
  reply.header('set-cookie', `${cookieOf(desk)}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${age_s}`)
}

function tokenOf(desk: Desk, request: FastifyRequest): string | undefined {
  const name = `${cookieOf(desk)}=`
  return (request.headers.cookie ?? '').split('; ').find(part => part.startsWith(name))?.slice(name.length)
}

function sessionOf(desk: Desk, request: FastifyRequest): Session | undefined {
  return desk.sessions.find(tokenOf(desk, request), desk.clock.now())
}
