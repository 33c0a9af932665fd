import { person_warnings } from '@campus/people/contract'
import type { Facet, PersonHead } from '@campus/people/contract'
import { dictionaryName, instantText } from '@kit/web'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { Avatar } from '../avatar.tsx'
import { duty_names, staffWord } from '../staff/words.ts'
import { PersonLink } from './person-link.tsx'
import { useToday } from './use-person.ts'

const time_at = 11
const at_work = ['01', '11']

/** Who it is, at a glance. */
export function Head({ person }: { person: PersonHead }): ReactNode {
  const { user_name, photo_url, facets, tags, duties, guardians, children, warnings } = person
  return (
    <header className="person-head">
      <Avatar name={user_name} photo_url={photo_url} />
      <div>
        <h2>
          {user_name} {tags.map(tag => <Tag key={tag.id} color={tag.color}>{tag.tag_name}</Tag>)}
          {warnings.map(code => <Tag key={code} color="orange">{person_warnings[code]}</Tag>)}
        </h2>
        <ul className="person-facets">{facets.map(facet => <FacetLine key={facet.facet} facet={facet} />)}</ul>
        {duties.length > 0 && <p>职务：{duties.map(({ duty, dept_name }) => `${dept_name}${dutyName(duty)}`).join('、')}</p>}
        {guardians.length > 0 && <p>家长：{guardians.map(one => <PersonLink key={one.user_id} id={one.user_id} text={`${one.user_name}（${dictionaryName('PICKUP_RELATION', one.relation)}）`} need="people.parent.view" />)}</p>}
        {children.length > 0 && <p>孩子：{children.map(one => <PersonLink key={one.user_id} id={one.user_id} text={`${one.user_name}（${one.label ?? '未分班'}）`} need="people.student.view" />)}</p>}
        <Today id={person.user_id} />
      </div>
    </header>
  )
}

function FacetLine({ facet: { facet, user_no, label, state, left_on } }: { facet: Facet }): ReactNode {
  const word = { student: '学生', staff: staffWord(), parent: '家长' }[facet]
  const dictionary = facet === 'student' ? 'STUDENT_STATE' : 'STAFF_STATE'
  return (
    <li>
      <b>{word}</b> {user_no !== null && <span className="kit-number">{user_no}</span>} {label}{' '}
      {left_on !== null && <Tag>{left_on} 离校</Tag>}
      {left_on === null && state !== null && <Tag color={at_work.includes(state) ? 'green' : 'orange'}>{dictionaryName(dictionary, state)}</Tag>}
    </li>
  )
}

/** What is known of the day; who does not answer is named. */
function Today({ id }: { id: string }): ReactNode {
  const { data, again } = useToday(id)
  if (!data || data.list.length + data.unavailable.length === 0) return null
  return (
    <p className="person-today" aria-label="今日">
      {data.list.map(({ lane, at, text }) => <span key={`${lane} ${at ?? ''} ${text}`}>{at !== null && <time dateTime={at}>{instantText(at).slice(time_at)}</time>} {text}</span>)}
      {data.unavailable.map(({ lane, title }) => <span key={lane}>{title}暂不可用 <Button type="link" size="small" aria-label={`重试 ${title}`} onClick={again}>重试</Button></span>)}
    </p>
  )
}

function dutyName(duty: string): string {
  return Object.entries(duty_names).find(([code]) => code === duty)?.[1] ?? duty
}
