import { metrics } from '@campus/insight/contract'
import type { MetricCode } from '@campus/insight/contract'
import type { ReactNode } from 'react'
import { FigureNumber } from './number.tsx'
import { tilesOf } from './tiles.ts'
import type { Tile } from './tiles.ts'
import type { Figures } from './use-overview.ts'
import { inWords } from './words.ts'

/** The row of tiles over the drawing. */
export function TileRow({ figures }: { figures: Figures }): ReactNode {
  return (
    <div className="insight-tiles">
      {tilesOf(figures).map((tile) => <TileCard key={tile.code} tile={tile} figures={figures} />)}
    </div>
  )
}

function TileCard({ tile, figures }: { tile: Tile; figures: Figures }): ReactNode {
  return (
    <section className={`insight-tile${tile.wide ? ' insight-tile-wide' : ''}`} aria-label={inWords(tile.title)}>
      <h2>{inWords(tile.title)}</h2>
      <TileFigures tile={tile} figures={figures} />
    </section>
  )
}

/** The figures of a tile, under whatever names it. */
export function TileFigures({ tile: { main, parts }, figures }: { tile: Tile; figures: Figures }): ReactNode {
  const is_single = main.length === 1
  return (
    <>
      <div className="insight-mains">
        {main.map((metric) => <Main key={metric} metric={metric} figures={figures} named={!is_single} />)}
      </div>
      <ul className="insight-parts">
        {parts.map((metric) => <Part key={metric} metric={metric} figures={figures} />)}
      </ul>
    </>
  )
}

function Main({ metric, figures, named }: { metric: MetricCode; figures: Figures; named: boolean }): ReactNode {
  const figure = figures.get(metric)
  if (!figure) return null
  return (
    <p className="insight-main">
      <FigureNumber figure={figure} className="insight-number" />
      <span>{named ? metrics[metric].title : metrics[metric].unit}</span>
    </p>
  )
}

function Part({ metric, figures }: { metric: MetricCode; figures: Figures }): ReactNode {
  const figure = figures.get(metric)
  if (!figure) return null
  return (
    <li>
      {metrics[metric].title} <FigureNumber figure={figure} className="insight-small" />
    </li>
  )
}
