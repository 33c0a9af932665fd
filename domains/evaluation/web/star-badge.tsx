import {
  BookFilled,
  FlagFilled,
  HeartFilled,
  SafetyCertificateFilled,
  StarFilled,
  TagFilled,
  ToolFilled,
  TrophyFilled,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import './evaluation.css'

const icons: Readonly<Record<string, ReactNode>> = {
  star: <StarFilled />,
  flag: <FlagFilled />,
  heart: <HeartFilled />,
  book: <BookFilled />,
  trophy: <TrophyFilled />,
  medal: <SafetyCertificateFilled />,
  leaf: <TagFilled />,
  broom: <ToolFilled />,
}

/** The badge of a star in the colour of its dimension. */
export function StarBadge({ icon, colour, big = false }: { icon: string; colour: string; big?: boolean }): ReactNode {
  return (
    <i className={big ? 'star-badge star-badge-big' : 'star-badge'} data-colour={colour} aria-hidden>
      {icons[icon] ?? icons.star}
    </i>
  )
}
