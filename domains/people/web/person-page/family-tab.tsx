import type { PersonHead, Relative } from '@campus/people/contract'
import { dictionaryName } from '@kit/web'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { FamilyGraph } from './family-graph.tsx'
import { PersonLink } from './person-link.tsx'

/** Parents above, the person in the middle, brothers, sisters and children below; every name can be reached by Tab. */
export function FamilyTab({ person }: { person: PersonHead }): ReactNode {
  const { guardians, siblings, children } = person
  if (guardians.length + siblings.length + children.length === 0) return <p className="person-none">没有登记家庭关系。</p>
  return (
    <div className="person-family">
      <FamilyGraph person={person} />
      <Row title="家长" people={guardians} need="people.parent.view" />
      <Row title="兄弟姐妹" people={siblings} need="people.student.view" />
      <Row title="孩子" people={children} need="people.student.view" />
    </div>
  )
}

function Row({ title, people, need }: { title: string; people: readonly Relative[]; need: string }): ReactNode {
  if (people.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {people.map(one => (
          <li key={one.user_id}>
            <PersonLink id={one.user_id} text={one.user_name} need={need} />
            <small>{one.relation === '' ? '' : dictionaryName('PICKUP_RELATION', one.relation)} {one.label}</small>
            {one.is_guardian && <Tag color="green">监护人</Tag>}
            {one.can_pickup && <Tag>可接送</Tag>}
          </li>
        ))}
      </ul>
    </section>
  )
}
