/** Font size in px of the school name in the sidebar: 24 up to 8 signs, 20 up to 20, else 14 (product spec §2). */
export function schoolNameSize(school_name: string): 24 | 20 | 14 {
  const signs = [...school_name].length
  if (signs <= 8) return 24
  return signs <= 20 ? 20 : 14
}
