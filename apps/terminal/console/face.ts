import { CredentialBody, PersonBody } from '@kit/terminal-protocol'
import type { FacePeople, FaceState } from '@kit/terminal-protocol/console'
import { uidOf } from '@kit/terminal-protocol/card'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { JdevTerminal } from '../jdev/terminal.ts'
import { numberOf, textOf } from '../jdev/own-settings.ts'
import type { Desk } from './desk.ts'
import { openPages, Refused } from './pages.ts'
import type { Listening, Opened } from './pages.ts'

const most_people = 50
const refused = 422
const ways = ['card', 'face', 'qr', 'password'] as const
/** Somebody picked from those it holds, or a number that is typed: of a card its bytes, else a code. */
const Show = z.union([z.strictObject({ way: z.enum(ways), user_id: z.string().max(128) }), z.strictObject({ way: z.enum(ways), code: z.string().min(1).max(256) })])
const Search = z.object({ keyword: z.string().max(64).default('') })

/** The screen of a terminal (chapter 31 §6): what it shows, and people who come to it. It knows no session: whoever stands before it may touch it. */
export function openFace(desk: Desk, listening: Listening): Promise<Opened> {
  const { terminal } = desk
  return openPages('face.html', listening, app => addFaceCalls(app, desk, terminal))
}

function addFaceCalls(app: FastifyInstance, desk: Desk, terminal: JdevTerminal): void {
  app.get('/api/face', () => stateOf(desk))
  app.get('/api/face/people', request => peopleOf(terminal, Search.parse(request.query).keyword))
  app.post('/api/face/show', (request): FaceState => {
    const { origin, host } = request.headers
    if (origin !== undefined && origin !== `http://${host}`) throw new Refused(refused, { code: 'csrf' })
    const shown = Show.parse(request.body)
    if ('user_id' in shown) terminal.present(shown.way, codeOf(terminal, shown.way, shown.user_id))
    else if (shown.way === 'card') desk.holdCard(cardOf(shown.code))
    else terminal.present(shown.way, shown.code)
    return stateOf(desk)
  })
}

function stateOf(desk: Desk): FaceState {
  const { terminal, door, testing, last, must_change, password } = desk
  const { store, sn, build, now, is_connected, is_off } = terminal
  return {
    sn, name: build.model, now: now.toISOString(), language: textOf(store, 'base.language') === 'EN' ? 'EN' : 'CN', brightness: numberOf(store, 'base.brightness'), volume: numberOf(store, 'base.volume'), online: is_connected, off: is_off,
    first_password: must_change ? password : null, door, testing, last,
  }
}

function peopleOf({ store }: JdevTerminal, keyword: string): FacePeople {
  const known = Map.groupBy([...store.held('credential').values()].flatMap(row => CredentialBody.safeParse(row.body).data ?? []), one => one.user_id)
  const people = [...store.held('person').values()].flatMap(row => PersonBody.safeParse(row.body).data ?? [])
  const found = people.filter(({ name, no }) => name.includes(keyword) || no.includes(keyword)).slice(0, most_people)
  return { people: found.map(({ user_id, name, no }) => ({ user_id, name, no, ways: (known.get(user_id) ?? []).map(one => one.kind) })) }
}

/** By what somebody is known here; who has none of that kind comes with nothing. */
function codeOf({ store }: JdevTerminal, way: (typeof ways)[number], user_id: string): string {
  const own = [...store.held('credential').values()].flatMap(row => CredentialBody.safeParse(row.body).data ?? []).find(one => one.user_id === user_id && one.kind === way)
  return (way === 'face' ? own?.id : own?.code) ?? ''
}

function cardOf(typed: string): string {
  const uid = uidOf(typed)
  if (uid === null) throw new Refused(refused, { code: 'card', key: 'code' })
  return uid
}
