/** Props of a menu that opens with the focus in it, so that the arrow keys walk it at once. */
export const takes_focus = { autoFocus: true }
