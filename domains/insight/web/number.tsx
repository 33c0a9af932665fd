import { metrics, row_metrics } from '@campus/insight/contract'
import type { Figure } from '@campus/insight/contract'
import type { ReactNode } from 'react'
import { ListLink, RowsLink } from './row-link.tsx'
import { inWords } from './words.ts'

/** A figure that opens its rows; 0 has none. */
export function FigureNumber({ figure, className }: { figure: Figure; className: string }): ReactNode {
  const { title, unit } = metrics[figure.metric]
  const sentence = inWords(metrics[figure.metric].sentence)
  const text = figure.count.toLocaleString('zh-CN')
  const label = `${inWords(title)}${text}${unit}，查看名单`
  const metric = row_metrics.find((code) => code === figure.metric)
  if (figure.count === 0) return <span className={className} title={sentence}>0</span>
  if (figure.link !== null) return <ListLink to={figure.link} className={className} label={label} title={sentence}>{text}</ListLink>
  if (!metric) return <span className={className} title={sentence}>{text}</span>
  return <RowsLink metric={metric} className={className} label={label} title={sentence}>{text}</RowsLink>
}
