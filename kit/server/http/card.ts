import type { CardFact } from '@kit/contract'
import { Port } from './port.ts'

/** Filled by every domain with cards: what a dashboard may hold, and which permissions it takes. */
export const cardPort = new Port<CardFact>('dashboard.card')
