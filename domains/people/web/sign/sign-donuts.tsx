import { signApi } from '@campus/people/contract'
import type { SignGroup } from '@campus/people/contract'
import { call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { arcsOf, percentOf, sumOf } from './sign-words.ts'
import type { Who } from './sign-words.ts'

/** A circle of circumference 100. */
const radius = 15.915
const legend = [['signed', '已签'], ['terminating', '解约中'], ['unsigned', '未签']] as const

/** 已签, 解约中, 未签 of everybody and of each grade; a grade filters the list. */
export function SignDonuts({ who, dept_id, choose }: { who: Who; dept_id: string | undefined; choose: (dept_id: string | undefined) => void }): ReactNode {
  const api = who === 'student' ? signApi.studentStat : signApi.teacherStat
  const query = useQuery({ queryKey: [api.call], queryFn: async ({ signal }) => (await call(api, {}, { signal, quiet: true })).list })
  if (!query.data) return <div className="sign-donuts"><PartState query={query} rows={1} /></div>
  const groups = query.data
  const whole = sumOf(groups)
  return (
    <section className="sign-donuts" aria-label="签约情况">
      <div className="sign-whole">
        <Ring of={whole} />
        <dl>{legend.map(([part, label]) => <div key={part}><dt><i data-part={part} />{label}</dt><dd>{whole[part].toLocaleString('zh-CN')} 人</dd></div>)}</dl>
      </div>
      {groups.length > 1 && (
        <ul>
          {groups.map(group => (
            <li key={group.dept_id}>
              <button type="button" aria-pressed={group.dept_id === dept_id} title={spoken(group)} onClick={() => choose(group.dept_id === dept_id ? undefined : (group.dept_id ?? undefined))}>
                <Ring of={group} />
                <span>{group.name}</span>
                <span className="kit-hidden">{spoken(group)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Ring({ of }: { of: Omit<SignGroup, 'dept_id' | 'name'> }): ReactNode {
  return (
    <span className="sign-ring">
      <svg viewBox="0 0 40 40" aria-hidden>
        {arcsOf(of).map(({ part, length, from }) => (
          <circle key={part} data-part={part} cx="20" cy="20" r={radius} fill="none" strokeWidth="5" strokeDasharray={`${length} ${100 - length}`} strokeDashoffset={25 - from} />
        ))}
      </svg>
      <b>{percentOf(of)}%</b>
    </span>
  )
}

function spoken({ signed, terminating, unsigned }: SignGroup): string {
  return `已签${signed}人，解约中${terminating}人，未签${unsigned}人`
}
