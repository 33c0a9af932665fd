/** One dish of a meal as the checks see it. */
export type Planned = { day: string; meal_kind: string; dish_id: string; dish_name: string; dish_kind: string; kcal: number; allergens: readonly number[] }

const [lunch, vegetable] = ['3', '3'] as const
const [least_kcal, most_kcal, apart_days] = [600, 1100, 3] as const
const day_ms = 86_400_000

/** What somebody should look at before a menu is published; nothing of it stops him (chapter 60 rule 44). */
export function warningsOf(items: readonly Planned[]): string[] {
  const repeated = [...Map.groupBy(items, one => one.dish_id).values()].flatMap(own => {
    const days = [...new Set(own.map(one => one.day))].toSorted()
    const near = days.find((day, at) => at > 0 && (Date.parse(day) - Date.parse(days[at - 1] ?? day)) / day_ms < apart_days)
    return near === undefined ? [] : [`${own[0]?.dish_name ?? ''}在3天内重复（${near}）`]
  })
  const meals = [...Map.groupBy(items.filter(one => one.meal_kind === lunch), one => one.day)].toSorted(([a], [b]) => a.localeCompare(b)).flatMap(([day, own]) => {
    const kcal = own.reduce((sum, one) => sum + one.kcal, 0)
    return [...(own.some(one => one.dish_kind === vegetable) ? [] : [`${day}午餐没有素菜`]), ...(kcal < least_kcal || kcal > most_kcal ? [`${day}午餐共${kcal}千卡，建议600到1100千卡`] : [])]
  })
  const unknown = [...new Set(items.filter(one => one.allergens.length === 0).map(one => one.dish_name))]
  return [...repeated, ...meals, ...(unknown.length > 0 ? [`未填写致敏物质：${unknown.slice(0, 10).join('、')}`] : [])]
}

type Dish = Omit<Planned, 'day' | 'meal_kind'>

/** A proposal for empty lunches, the same for the same week: two meat dishes, a vegetable, a soup and a staple, none of them within five days. */
export function proposeLunches(days: readonly string[], dishes: readonly Dish[], seed: number): Planned[] {
  const wanted = ['1', '2', '3', '4', '5']
  return days.flatMap((day, at) => wanted.flatMap((kind, part) => {
    const own = dishes.filter(dish => dish.dish_kind === kind)
    const dish = own[(seed + at * 7 + part) % Math.max(1, own.length)]
    return dish ? [{ ...dish, day, meal_kind: lunch }] : []
  }))
}
