import { createHash } from 'node:crypto'
import { randomOf } from '../seat/random.ts'
import { least } from '../seat/spread.ts'

type Span = { begin: number; end: number }
/** A session: instants in ms, its day, the minutes that count, its rooms with the classes that fill a third of them at least. */
export type Sitting = Span & { session_id: string; day: string; minutes: number; rooms: readonly { room_id: string; dept_ids: readonly string[]; subjects: readonly string[] }[] }
/** A teacher: when he cannot, the classes he leads, his share of work (1 full, less for part-time and class teachers), minutes served this school year. */
export type Teacher = { user_id: string; busy: readonly Span[]; own_dept_ids: readonly string[]; subjects: readonly string[]; share: number; ledger: number }
export type Post = { session_id: string; room_id: string; role: 1 | 2; user_id: string; minutes: number; reason: string }
export type Roster = { posts: Post[]; unfilled: { session_id: string; room_id: string; role: 1 | 2 }[]; spread: number; plan_hash: string }
type Asked = { sittings: readonly Sitting[]; teachers: readonly Teacher[]; per_room: 1 | 2; seed: number; fixed?: readonly Post[] }

const [most_a_day, tie] = [3, 0.001] as const
type Open = { sitting: Sitting; room: Sitting['rooms'][number]; role: 1 | 2 }

/**
 * Who invigilates where (chapter 55 rule 29). Hard: available, not the own class, at most three a day, one post at a time. Objective in this order: no post
 * unfilled, an even load by weighted minutes of the school year, not the own subject. Pure: the same input and seed give the same roster, and each post says why.
 */
export function invigilate({ sittings, teachers, per_room, seed, fixed = [] }: Asked): Roster {
  const random = randomOf(seed)
  const lot = new Map(teachers.toSorted((a, b) => a.user_id.localeCompare(b.user_id)).map(one => [one.user_id, random() * tie]))
  const posts: Post[] = [...fixed]
  const roles = per_room === 1 ? [1 as const] : [1 as const, 2 as const]
  const taken = new Set(fixed.map(one => `${one.session_id} ${one.room_id} ${one.role}`))
  const wanted = sittings.flatMap(sitting => sitting.rooms.flatMap(room => roles.map((role): Open => ({ sitting, room, role }))))
    .filter(({ sitting, room, role }) => !taken.has(`${sitting.session_id} ${room.room_id} ${role}`))
  const able = new Map(sittings.map(sitting => [sitting.session_id, teachers.filter(one => isFree(one, sitting)).length]))
  // The longest and the scarcest first: what comes last finds the fewest.
  const order = wanted.toSorted((a, b) => b.sitting.minutes - a.sitting.minutes || (able.get(a.sitting.session_id) ?? 0) - (able.get(b.sitting.session_id) ?? 0) || a.sitting.begin - b.sitting.begin)
  const unfilled: Roster['unfilled'] = []
  for (const open of order) {
    const chosen = least(candidatesFor(open, teachers, posts, sittings), one => costOf(one, open, posts, lot))
    if (chosen) posts.push(postOf(open, chosen, posts))
    else unfilled.push({ session_id: open.sitting.session_id, room_id: open.room.room_id, role: open.role })
  }
  even(posts.slice(fixed.length), posts, teachers, sittings)
  return { posts, unfilled, spread: spreadOf(teachers, posts), plan_hash: hashOf(posts) }
}

/** Weighted minutes of a teacher: of the school year before, and of these posts. */
export function loadOf({ user_id, share, ledger }: Teacher, posts: readonly Post[]): number {
  let minutes = ledger
  for (const post of posts) if (post.user_id === user_id) minutes += post.minutes
  return minutes / share
}

function isFree({ busy }: Teacher, { begin, end }: Span): boolean {
  return busy.every(one => one.end <= begin || one.begin >= end)
}

/** Why somebody cannot take a post; null when he can. */
export function refusalOf(teacher: Teacher, { sitting, room }: Pick<Open, 'sitting' | 'room'>, posts: readonly Post[], sittings: readonly Sitting[]): 'busy' | 'own' | 'day' | 'twice' | null {
  if (!isFree(teacher, sitting)) return 'busy'
  if (room.dept_ids.some(id => teacher.own_dept_ids.includes(id))) return 'own'
  const held = new Set(posts.filter(post => post.user_id === teacher.user_id).map(post => post.session_id))
  const own = held.size === 0 ? [] : sittings.filter(one => held.has(one.session_id))
  if (own.some(one => one.begin < sitting.end && sitting.begin < one.end)) return 'twice'
  return own.filter(one => one.day === sitting.day).length >= most_a_day ? 'day' : null
}

function candidatesFor(open: Open, teachers: readonly Teacher[], posts: readonly Post[], sittings: readonly Sitting[]): Teacher[] {
  return teachers.filter(one => refusalOf(one, open, posts, sittings) === null)
}

const own_subject = 5

function costOf(teacher: Teacher, { room }: Open, posts: readonly Post[], lot: ReadonlyMap<string, number>): number {
  const same = teacher.subjects.some(subject => room.subjects.includes(subject)) ? own_subject : 0
  return loadOf(teacher, posts) + same + (lot.get(teacher.user_id) ?? 0)
}

function postOf({ sitting, room, role }: Open, teacher: Teacher, posts: readonly Post[]): Post {
  const load = Math.round(loadOf(teacher, posts))
  return { session_id: sitting.session_id, room_id: room.room_id, role, user_id: teacher.user_id, minutes: sitting.minutes, reason: `有空的教师中本学年累计最少（${load}分钟）` }
}

/** Hands posts from the most to the least loaded while that makes the load more even. */
function even(loose: readonly Post[], posts: Post[], teachers: readonly Teacher[], sittings: readonly Sitting[]): void {
  const most_rounds = loose.length
  for (let round = 0; round < most_rounds; round++) {
    const sorted = teachers.map(one => ({ one, load: loadOf(one, posts) })).toSorted((a, b) => b.load - a.load)
    const handed = sorted.some(({ one: giver, load }) => sorted.toReversed().some(({ one: taker, load: other }) => load - other > 0 && hand(giver, taker, load - other)))
    if (!handed) return
  }

  function hand(giver: Teacher, taker: Teacher, gap: number): boolean {
    const at = posts.findIndex(post => loose.some(one => one.session_id === post.session_id && one.room_id === post.room_id && one.role === post.role) && post.user_id === giver.user_id && canTake(post, taker, gap))
    const post = posts[at]
    if (!post) return false
    posts[at] = { ...post, user_id: taker.user_id, reason: `为均衡本学年工作量由他人转来（累计${Math.round(loadOf(taker, posts))}分钟）` }
    return true
  }

  function canTake(post: Post, taker: Teacher, gap: number): boolean {
    const sitting = sittings.find(one => one.session_id === post.session_id)
    const room = sitting?.rooms.find(one => one.room_id === post.room_id)
    return sitting !== undefined && room !== undefined && post.minutes / taker.share < gap && refusalOf(taker, { sitting, room }, posts, sittings) === null
  }
}

/** Most less least weighted minutes of those who can do every session. */
function spreadOf(teachers: readonly Teacher[], posts: readonly Post[]): number {
  const loads = teachers.filter(one => one.busy.length === 0).map(one => loadOf(one, posts))
  return loads.length === 0 ? 0 : Math.max(...loads) - Math.min(...loads)
}

function hashOf(posts: readonly Post[]): string {
  return createHash('sha256').update(posts.map(one => `${one.session_id} ${one.room_id} ${one.role} ${one.user_id}`).toSorted().join('\n')).digest('hex')
}
