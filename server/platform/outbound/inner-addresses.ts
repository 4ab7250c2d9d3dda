import { BlockList, isIP, isIPv6 } from 'node:net'

/** Networks that are nobody's on the Internet, or are not reached as plain hosts: RFC 6890 and its registries. */
const INNER: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Inside 2000::/3, outside of which no address is global.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const inner = blockListOf(INNER)
const global6 = blockListOf([['2000::', 3]])

function blockListOf(subnets: [string, number][]): BlockList {
  const made = new BlockList()
  for (const [address, bits] of subnets) made.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
  return made
}

/** Whether an address may be called: a global one, or one of the networks that the operator has named. */
export function isCallable(networks: readonly string[]): (address: string) => boolean {
  const named = blockListOf(
    networks.map((network) => {
      const [address = '', bits] = network.split('/')
      return [address, bits === undefined ? (isIPv6(address) ? 128 : 32) : Number(bits)]
    }),
  )
  return (address) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) return false
    if (named.check(address, family)) return true
    // An IPv4 address in IPv6 clothes is neither global nor, for its disguise, allowed.
    if (family === 'ipv6' && !global6.check(address, family)) return false
    return !inner.check(address, family)
  }
}
