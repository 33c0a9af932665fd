import type { OpenItem } from '@campus/people/contract'
import { Link } from '@tanstack/react-router'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { level_names } from './delete-words.ts'

const colors = { block: 'red', warn: 'orange', settle: 'blue' } as const

/** 未结事项 of one person, each with what to do and where. */
export function OpenItems({ items }: { items: readonly OpenItem[] }): ReactNode {
  if (items.length === 0) return null
  return (
    <ul className="delete-items">
      {items.map(({ code, title, level, action, link }) => (
        <li key={code}>
          <Tag color={colors[level]} title={level_names[level]}>{title}</Tag>
          {link === null ? action : <Link to={link} className="kit-link">{action}</Link>}
        </li>
      ))}
    </ul>
  )
}
