/** A line of the sheet with codes instead of names; null: the sheet leaves it to the dish. */
export type Line = {
  day: string
  meal_kind: string
  canteen: string
  dish: string
  dish_kind: string
  ingredients: string
  allergens: number[] | null
  price_fen: number | null
  kcal: number | null
  /** the name of a picture; empty: the dish keeps its own */
  picture: string
}
export type Dish = { dish_id: string; name: string; file_key: string | null } & DishWords
type DishWords = { dish_kind: string; price_fen: number; kcal: number; allergens: number[] }
export type Item = DishWords & { dish_id: string } & { menu_id: string; day: string; meal_kind: string }
export type Menu = { menu_id: string; place_id: string; week_start: string }
export type Snapshot = {
  today: string
  canteens: readonly { place_id: string; names: readonly string[] }[]
  menus: ReadonlyMap<string, Menu>
  dishes: ReadonlyMap<string, Dish>
  items: ReadonlyMap<string, Item>
  /** pictures that the sheet names, by name */
  pictures: ReadonlyMap<string, string>
}

/** One dish of one meal, as a key. */
export const keyOf = ({ menu_id, day, meal_kind, dish_id }: Pick<Item, 'menu_id' | 'day' | 'meal_kind' | 'dish_id'>): string =>
  [menu_id, day, meal_kind, dish_id].join(':')

/** The canteen that a line names: by its whole path, the end of it, or its name. Null: none, or more than one. */
export function placeOf({ canteens }: Pick<Snapshot, 'canteens'>, { canteen }: Line): string | null {
  const named = canteen === '' ? canteens : canteens.filter(one => one.names.includes(canteen))
  return named.length === 1 ? (named[0]?.place_id ?? null) : null
}

/** What a line says of its dish, where it says nothing what the dish says. */
export function wordsOf(line: Line, dish: Pick<Dish, 'price_fen' | 'kcal' | 'allergens'> | undefined) {
  return {
    dish_kind: line.dish_kind,
    price_fen: line.price_fen ?? dish?.price_fen ?? 0,
    kcal: line.kcal ?? dish?.kcal ?? 0,
    allergens: line.allergens ?? dish?.allergens ?? [],
  }
}
