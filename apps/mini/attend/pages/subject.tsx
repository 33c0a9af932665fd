import type { AttendSubject } from '@campus/attendance/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'

const pupil = 1

type Props = Pick<AttendPage, 'live' | 'call'> & { children: (subject: AttendSubject) => ReactNode }

/** Whose attendance is looked at: oneself in 教职工考勤, otherwise oneself as a pupil or one of one's children. */
export function OfSubject({ live, call, children }: Props): ReactNode {
  const [chosen, choose] = useState<string>()
  const { data, failure, again } = useLoaded(useCallback(() => call('subjects', {}), [call]))
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  const of_staff = live.told.app.code === 'cloudAttend'
  const able = data.list.filter(one => (one.person_kind === pupil) !== of_staff)
  const subject = able.find(one => one.user_id === chosen) ?? able[0]
  if (!subject)
    return (
      <Card title="考勤">
        <p className="empty">{of_staff ? '没有您的教职工档案，请联系人事' : '没有绑定在校学生'}</p>
      </Card>
    )
  return (
    <>
      {able.length > 1 && (
        <div className="choice" role="group" aria-label="孩子">
          {able.map(one => (
            <button key={one.user_id} type="button" aria-pressed={one.user_id === subject.user_id} onClick={() => choose(one.user_id)}>
              {one.user_name} {one.dept_name}
            </button>
          ))}
        </div>
      )}
      {children(subject)}
    </>
  )
}
