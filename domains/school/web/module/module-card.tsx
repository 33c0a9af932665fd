import { moduleApi } from '@campus/school/contract'
import { call, usePage } from '@kit/web'
import { CardBody } from '@kit/web/dashboard'
import { useQuery } from '@tanstack/react-query'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { needsNotice, stateText, stateColour } from './module-words.ts'

/** 功能到期提醒: what ends soon, is over or was switched off, the nearest first. */
export function ModuleCard(): ReactNode {
  const { active } = usePage()
  const query = useQuery({ queryKey: [moduleApi.list.call], queryFn: ({ signal }) => call(moduleApi.list, {}, { signal, quiet: true }), enabled: active, refetchOnWindowFocus: true })
  return (
    <CardBody query={query}>
      {({ list }) => {
        const noted = list.filter(needsNotice).toSorted((one, other) => (one.days_left ?? -1) - (other.days_left ?? -1))
        if (noted.length === 0) return <p className="record-hint">全部功能正常使用，30天内没有到期的功能</p>
        return (
          <ul className="nav-noted">
            {noted.map(line => <li key={line.module_code}><span>{line.title}</span><Tag color={stateColour(line)}>{stateText(line)}</Tag></li>)}
          </ul>
        )
      }}
    </CardBody>
  )
}
