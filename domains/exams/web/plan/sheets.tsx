import type { ExamPlan, PostRow, RoomRow, SheetSeat } from '@campus/exams/contract'
import { instantText } from '@kit/web'
import type { ReactNode } from 'react'

/** What papers of a plan are made of. */
export type SheetFacts = { plan: ExamPlan; seats: readonly SheetSeat[]; rooms: readonly RoomRow[]; posts: readonly PostRow[] }
type Session = ExamPlan['sessions'][number]
type Filled = { session: Session; room: RoomRow; seats: readonly SheetSeat[]; watchers: string }

const timeOf = ({ begin_at, end_at }: Session) => `${instantText(begin_at).slice(0, 16)}—${instantText(end_at).slice(11, 16)}`

/** Rooms of sessions that somebody sits in, in the order of time and number. */
function filled({ plan, seats, rooms, posts }: SheetFacts): Filled[] {
  return plan.sessions.flatMap(session => rooms.flatMap(room => {
    const own = seats.filter(one => one.session_id === session.session_id && one.room_id === room.room_id)
    const watchers = posts.filter(one => one.session_id === session.session_id && one.room_id === room.room_id).toSorted((a, b) =>
      a.role - b.role).map(one => one.user_name).join('、')
    return own.length === 0 ? [] : [{ session, room, seats: own, watchers }]
  }))
}

const keyOf = ({ session, room }: Filled) => `${session.session_id} ${room.room_id}`
const span = (seats: readonly SheetSeat[]) => {
  const numbers = seats.flatMap(one => one.exam_no ?? []).toSorted()
  return numbers.length === 0 ? '' : `${numbers[0]}—${numbers.at(-1)}`
}

/** 考场一览: every room of every session with its people. */
export function RoomList(facts: SheetFacts): ReactNode {
  return (
    <section className="exam-sheet">
      <h2>{facts.plan.exam.exam_name} 考场一览</h2>
      <table>
        <thead><tr><th>场次</th><th>时间</th><th>考场</th><th>地点</th><th>人数</th><th>考号</th><th>监考</th></tr></thead>
        <tbody>
          {filled(facts).map(one => (
            <tr key={keyOf(one)}>
              <td>{one.session.session_name}</td><td>{timeOf(one.session)}</td><td>{one.room.number}</td><td>{one.room.place_name}</td>
              <td>{one.seats.length}</td><td>{span(one.seats)}</td><td>{one.watchers}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SeatCells({ seat }: { seat: SheetSeat }): ReactNode {
  return <><td>{seat.seat}</td><td>{seat.exam_no}</td><td>{seat.user_name}</td><td>{seat.dept_name}</td></>
}

/** 门贴: one page a room, who sits where. */
export function DoorSheets(facts: SheetFacts): ReactNode {
  return filled(facts).map(one => (
    <section key={keyOf(one)} className="exam-sheet">
      <h2>第 <b className="exam-large">{one.room.number}</b> 考场</h2>
      <p>{facts.plan.exam.exam_name}　{one.session.session_name}　{timeOf(one.session)}　{one.room.place_name}　共{one.seats.length}人</p>
      <div className="exam-columns">
        <table>
          <thead><tr><th>座位</th><th>考号</th><th>姓名</th><th>班级</th></tr></thead>
          <tbody>{one.seats.map(seat =>
            <tr key={seat.user_id}><SeatCells seat={seat} /></tr>)}</tbody>
        </table>
      </div>
    </section>
  ))
}

/** 桌贴: one label a seat, with lines to cut along. */
export function SeatLabels(facts: SheetFacts): ReactNode {
  return filled(facts).map(one => (
    <section key={keyOf(one)} className="exam-sheet exam-labels">
      {one.seats.map(seat => (
        <div key={seat.user_id} className="exam-label">
          <b className="exam-large">{seat.seat}</b>
          <p>{one.room.number}考场　{one.session.session_name}</p>
          <p><b>{seat.user_name}</b>　{seat.dept_name}</p>
          <p>考号 {seat.exam_no}</p>
        </div>
      ))}
    </section>
  ))
}

/** 签到表: one page a room with room for signatures. */
export function SignSheets(facts: SheetFacts): ReactNode {
  return filled(facts).map(one => (
    <section key={keyOf(one)} className="exam-sheet">
      <h2>{facts.plan.exam.exam_name} 签到表　{one.room.number}考场</h2>
      <p>{one.session.session_name}　{timeOf(one.session)}　{one.room.place_name}　监考：{one.watchers || '　　　　'}</p>
      <table>
        <thead><tr><th>座位</th><th>考号</th><th>姓名</th><th>班级</th><th className="exam-sign">签名</th><th>备注</th></tr></thead>
        <tbody>{one.seats.map(seat =>
          <tr key={seat.user_id}><SeatCells seat={seat} /><td aria-label="签名" /><td aria-label="备注" /></tr>)}</tbody>
      </table>
      <p>应到 {one.seats.length} 人，实到＿＿＿人，缺考＿＿＿人　　主监考签名＿＿＿＿＿＿</p>
    </section>
  ))
}

/** 准考证: one slip a pupil with his seat in every session. */
export function AdmissionSlips({ plan, seats, rooms }: SheetFacts): ReactNode {
  return (
    <section className="exam-sheet exam-slips">
      {[...Map.groupBy(seats, one => one.user_id).values()].map(own => {
        const [first] = own
        return first && (
          <div key={first.user_id} className="exam-slip">
            <h3>{plan.exam.exam_name} 准考证</h3>
            <p>姓名 <b>{first.user_name}</b>　班级 {first.dept_name}　学号 {first.student_no}　考号 <b>{first.exam_no}</b></p>
            <table>
              <thead><tr><th>科目</th><th>时间</th><th>考场</th><th>地点</th><th>座位</th></tr></thead>
              <tbody>
                {plan.sessions.flatMap(session => own.filter(one => one.session_id === session.session_id).map(one => {
                  const room = rooms.find(each => each.room_id === one.room_id)
                  return (
                    <tr key={session.session_id}>
                      <td>{session.session_name}</td><td>{timeOf(session)}</td><td>{room?.number}</td><td>{room?.place_name}</td><td>{one.seat}</td>
                    </tr>
                  )
                }))}
              </tbody>
            </table>
          </div>
        )
      })}
    </section>
  )
}
