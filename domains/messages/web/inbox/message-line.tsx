import { AuditOutlined, BellOutlined, RightOutlined, SafetyCertificateOutlined, ScheduleOutlined, TeamOutlined } from '@ant-design/icons'
import { level_names } from '@campus/messages/contract'
import type { InboxRow } from '@campus/messages/contract'
import { instantText } from '@kit/web'
import { Tag } from 'antd'
import type { ReactNode } from 'react'

/** Where a message comes from, by the domain whose fact it tells. */
const sources: Readonly<Record<string, { icon: ReactNode; name: string }>> = {
  identity: { icon: <SafetyCertificateOutlined />, name: '账号安全' },
  audit: { icon: <AuditOutlined />, name: '日志审计' },
  jobs: { icon: <ScheduleOutlined />, name: '后台任务' },
  people: { icon: <TeamOutlined />, name: '人员档案' },
}

/** One message; choosing it marks it as read and goes where it points to. */
export function MessageLine({ row, onOpen }: { row: InboxRow; onOpen: (row: InboxRow) => void }): ReactNode {
  const { icon, name } = sources[row.source] ?? { icon: <BellOutlined />, name: '通知' }
  return (
    <li>
      <button type="button" className={row.is_read ? 'message-line' : 'message-line message-unread'} onClick={() => onOpen(row)}>
        <span className="message-icon" aria-hidden>{icon}</span>
        <span className="message-words">
          <span className="message-title">
            {!row.is_read && <span className="kit-hidden">未读 </span>}
            <b>{row.title}</b>
            {row.level === 2 && <Tag color="orange">{level_names[2]}</Tag>}
            {row.level === 3 && <Tag color="red">{level_names[3]}</Tag>}
          </span>
          <span className="message-body">{row.body}</span>
          <small>{`${name}　${instantText(row.at)}`}</small>
        </span>
        {row.link !== null && <RightOutlined className="message-go" aria-hidden />}
      </button>
    </li>
  )
}
