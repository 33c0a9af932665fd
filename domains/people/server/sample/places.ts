import { divisions } from '../import/divisions.ts'
import type { Draw } from './draw.ts'

/** Where a family lives: a district of the school's city and an address that does not exist. */
export type Home = { district: string; address: string; postcode: string }

const city = '370200'
const postcodes: Readonly<Record<string, string>> = {
  '370202': '266001', '370203': '266011', '370211': '266400', '370212': '266061', '370213': '266041', '370214': '266109', '370215': '266200',
  '370281': '266300', '370283': '266700', '370285': '266600',
}
const estates = ['阳光花园', '滨河小区', '市民公寓', '枫林雅苑', '科技园家属院', '海韵嘉园', '观澜苑', '青禾里'] as const
const districts = new Map<string, readonly string[]>()

/** A home in the city of the demo. */
export function makeHome(draw: Draw): Home {
  const district = districtOf(draw, city)
  const door = `${draw.between(1, 30)}号楼${draw.between(1, 4)}单元${draw.between(1, 18)}0${draw.between(1, 4)}`
  return { district, address: `${divisions().names.get(district) ?? ''}(虚构)${draw.pick(estates)}${door}`, postcode: postcodes[district] ?? '266000' }
}

/** A county of the prefecture; a prefecture without counties stands for itself. */
export function districtOf(draw: Draw, prefecture: string): string {
  const known = districts.get(prefecture) ?? countiesOf(prefecture)
  districts.set(prefecture, known)
  return known.length === 0 ? prefecture : draw.pick(known)
}

/** 市辖区 (…01) and development zones (…7x) are no places where somebody is born. */
function countiesOf(prefecture: string): string[] {
  return [...divisions().names.keys()].filter(code => code.length === 6 && code.startsWith(prefecture.slice(0, 4)) && !/(?:0[01]|7\d)$/.test(code))
}
