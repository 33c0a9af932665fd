import { PartState } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { scene_words, stateText } from './register-words.ts'
import { switchOf, useRegisterInfo } from './use-register.ts'
import '../overview/overview.css'

/** 开放登记 of 学校信息: whether both forms are open, and how many entries wait. */
export function RegisterCard({ school_type }: { school_type: number }): ReactNode {
  const query = useRegisterInfo()
  if (!query.data) return <PartState query={query} rows={2} />
  const { waiting } = query.data
  const scenes = school_type === 1 ? ([1, 2] as const) : ([2] as const)
  return (
    <dl className="people-overview">
      {scenes.map(scene => (
        <div key={scene}><dt>{scene_words[scene]}</dt><dd><Link to="/CollectInformation">{stateText(switchOf(query.data, scene))}</Link></dd></div>
      ))}
      <div><dt>待审核</dt><dd className="kit-number"><Link to="/CollectInformation" search={{ tab: 'review' }} aria-label={`待审核${waiting}条`}>{waiting}</Link></dd></div>
    </dl>
  )
}
