import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { receiptsOf, titleOf } from './ladder.ts'
import type { Rung } from './ladder.ts'

/** The newest message first, each on the side of who said it. */
export function Rungs({ rungs }: { rungs: readonly Rung[] }): ReactNode {
  return (
    <>
      <div className="wire-sides" aria-hidden><span>服务器</span><span>设备</span></div>
      <ol className="wire-ladder" aria-label="报文，最新的在前" reversed>
        {rungs.toReversed().map(rung => <Step key={rung.line.line_id} rung={rung} />)}
      </ol>
    </>
  )
}

function Step({ rung }: { rung: Rung }): ReactNode {
  const { line, took_ms } = rung
  const time = new Date(line.at).toLocaleTimeString('zh-CN', { hour12: false, timeZone: 'Asia/Shanghai' })
  return (
    <li className={`wire-step wire-${line.way}`}>
      <details>
        <summary>
          <span className="wire-arrow" aria-hidden>{line.way === 'down' ? '→' : '←'}</span>
          <b>{titleOf(rung)}</b>
          <small>{`${line.way === 'down' ? '服务器发出' : '设备发来'} ${time}.${line.at.slice(20, 23)}，${line.bytes}字节${took_ms === null ? '' : `，用时${took_ms}毫秒`}`}</small>
          <span className="wire-receipts">
            {line.code !== null && <Tag>{line.code}</Tag>}
            {receiptsOf(line).map(({ key, text, is_bad }) => <Tag key={key} color={is_bad ? 'red' : 'blue'}>{text}</Tag>)}
          </span>
        </summary>
        <pre>{line.text === '' ? '没有内容' : line.text}{line.is_cut ? '\n……（后面的内容没有显示）' : ''}</pre>
      </details>
    </li>
  )
}
