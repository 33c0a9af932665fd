import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** One number of a card; `to` opens its rows, `tone` says that somebody should look. */
export type CardFigure = { label: string; value: number; to?: string; search?: Record<string, string>; tone?: 'good' | 'bad' }

/** Numbers of a card in a row, each a way to its rows. */
export function CardFigures({ figures }: { figures: readonly CardFigure[] }): ReactNode {
  return (
    <ul className="card-figures">
      {figures.map(figure => <li key={figure.label} data-tone={figure.value > 0 ? figure.tone : undefined}><Figure {...figure} /></li>)}
    </ul>
  )
}

function Figure({ label, value, to, search }: CardFigure): ReactNode {
  const said = (
    <>
      <b>{value.toLocaleString('zh-CN')}</b>
      <span>{label}</span>
    </>
  )
  return to === undefined ? said : <Link to={to} {...(search === undefined ? {} : { search })}>{said}</Link>
}
