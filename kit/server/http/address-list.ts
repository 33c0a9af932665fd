import { BlockList, isIP } from 'node:net'

/** Tells whether an address is on a comma separated list of addresses and networks (`10.0.0.5,10.1.0.0/16,::1`). */
export function addressList(text: string): (address: string) => boolean {
  const list = new BlockList()
  for (const item of text.split(',').map(part => part.trim()).filter(part => part !== '')) {
    const [address = '', bits] = item.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => isIP(address) > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
