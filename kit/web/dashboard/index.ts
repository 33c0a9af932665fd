import './board.css'

export { Board } from './board.tsx'
export { CardBody } from './card-body.tsx'
export { CardFigures } from './card-figures.tsx'
export { CardFrame } from './card-frame.tsx'
export { cardViews } from './card-views.ts'
export type { CardView } from './card-views.ts'
export { added, settled, usualLayout } from './placing.ts'
