import { expect, test } from 'vitest'
import { isCallable } from '../../server/platform/outbound/inner-addresses.ts'

const INNER = {
  'of this network': ['0.0.0.0', '0.1.2.3', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'of a carrier': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254'],
  'link-local': ['169.254.0.1', '169.254.169.254'],
  'of protocols': ['192.0.0.1', '192.0.0.171', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9'],
  multicast: ['224.0.0.1', '239.255.255.255'],
  'reserved, and broadcast': ['240.0.0.1', '255.255.255.255'],
  'IPv6: none, and loopback': ['::', '::1', '0:0:0:0:0:0:0:1'],
  'IPv6: unique local': ['fc00::1', 'fd12:3456:789a::1', 'fdff::1'],
  'IPv6: link-local, and of a site': ['fe80::1', 'febf::1', 'fec0::1'],
  'IPv6: multicast': ['ff02::1', 'ff0e::1'],
  'IPv6: documentation': ['2001:db8::1', '3fff::1'],
  'IPv4 in IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1'],
  'Teredo, ORCHID and the like': ['2001::1', '2001:0:7f00:1::', '2001:10::1', '2001:20::1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  'what is no address': ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '1.2.3.4.5'],
}

test('no address inside any network may be called', () => {
  const mayCall = isCallable([])
  for (const [kind, addresses] of Object.entries(INNER))
    for (const address of addresses) expect(mayCall(address), `${kind}: ${address}`).toBe(false)
})

test('those just outside of them may be, and what everybody reaches', () => {
  const mayCall = isCallable([])
  for (const address of [
    ...[
      '1.0.0.0',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...[
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
    ],
    ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700::1111', '2a00::1', '3ffe::1'],
  ])
    expect(mayCall(address), address).toBe(true)
})

test('a network that the operator names may be called, and nothing beside it', () => {
  const mayCall = isCallable(['10.1.0.0/16', '127.0.0.2', 'fd00:1::/32'])
  for (const address of ['10.1.0.1', '10.1.255.255', '127.0.0.2', 'fd00:1::5', '8.8.8.8'])
    expect(mayCall(address), address).toBe(true)
  for (const address of ['10.2.0.1', '127.0.0.1', '127.0.0.3', 'fd00:2::5', '::1'])
    expect(mayCall(address), address).toBe(false)
})
