/** For the `ref` of what scrolls and holds no field: it must be reachable by Tab. */
export function scrollByKey(body: HTMLDivElement | null): void {
  body?.setAttribute('tabindex', '0')
}
