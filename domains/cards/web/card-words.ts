import { CARD_STATE } from '@campus/cards/contract'
import type { CardAct, HeldCard } from '@campus/cards/contract'
import type { CardPerson } from '@campus/cards/contract'

export const state_colors: Readonly<Record<HeldCard['state'], string>> = { '0': 'default', '1': 'green', '2': 'red', '3': 'default', '4': 'default', '5': 'orange', '6': 'orange', '7': 'default' }
export const state_names: Readonly<Record<HeldCard['state'], string>> = CARD_STATE.names

/** The acts as buttons say them, and the permission that each takes. */
export const act_words: Readonly<Record<CardAct, { label: string; need: string }>> = {
  issue: { label: '发卡', need: 'cards.card.issue' },
  loss: { label: '挂失', need: 'cards.card.loss' },
  cancel_loss: { label: '解挂', need: 'cards.card.cancel_loss' },
  reissue: { label: '补卡', need: 'cards.card.reissue' },
  reissue_fast: { label: '快速补卡', need: 'cards.card.reissue' },
  exchange: { label: '换卡', need: 'cards.card.reissue' },
  revoke: { label: '退卡', need: 'cards.card.revoke' },
  renew: { label: '延期', need: 'cards.card.edit' },
  freeze: { label: '冻结', need: 'cards.card.edit' },
  unfreeze: { label: '解冻', need: 'cards.card.edit' },
  void: { label: '作废', need: 'cards.blank.edit' },
}
export const slot_names: Readonly<Record<number, string>> = { 0: '主卡', 1: '副卡1', 2: '副卡2', 3: '副卡3', 4: '副卡4', 8: '社保卡' }

export const mainCard = ({ cards }: Pick<CardPerson, 'cards'>): HeldCard | undefined => cards.find(card => card.slot === 0)

/** 已阻断 44/46. */
export function blockText({ done, total, offline }: { done: number; total: number; offline: number }): string {
  if (total === 0) return '无设备持有'
  return `已阻断 ${done}/${total}${offline > 0 ? `，${offline}台离线` : ''}`
}

/** 2.1 s. */
export function secondsText(ms: number | null): string {
  return ms === null ? '—' : `${(ms / 1000).toFixed(1)} s`
}

/** Yuan as typed, in fen. */
export const fenOf = (yuan: number | null | undefined): number => Math.round((yuan ?? 0) * 100)
