import {describe, expect, it} from 'vitest';
import {canonical, isPublicAddress, isSameAddress} from '../../../../src/pod/tools/web/addresses.ts';

describe('a public address', () => {
	it.each([
		'1.1.1.1',
		'93.184.216.34',
		'100.63.255.255',
		'100.128.0.0',
		'172.15.0.1',
		'172.32.0.1',
		'223.255.255.255',
		'2606:4700:4700::1111',
		'2a00:1450:4001:80b::200e',
		// NAT64, 6to4 and mapped forms of a public address.
		'64:ff9b::101:101',
		'2002:101:101::1',
		'::ffff:1.1.1.1',
	])('is %s', address => {
		expect(isPublicAddress(address)).toBe(true);
	});

	it.each([
		...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
		...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
		...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
		'255.255.255.255',
		...['::', '::1', '::127.0.0.1', '::1.1.1.1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12:3456::1'],
		...['ff02::1', '2001:db8::1', '3fff::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:20::1'],
		...['100::1', '4000::1', '5f00::1'],
		...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
		...['64:ff9b:1::1', '64:ff9b:1:ffff::101:101', '2002:7f00:1::1', '2002:a00:1::', '2002:c0a8:101::1'],
		...['localhost', '', '1.2.3', '0x7f000001'],
	])('is not %s', address => {
		expect(isPublicAddress(address)).toBe(false);
	});
});

describe('two addresses', () => {
	it('are the same in every notation', () => {
		expect(isSameAddress('::ffff:127.0.0.1', '127.0.0.1')).toBe(true);
		expect(isSameAddress('0:0::1', '::1')).toBe(true);
		expect(isSameAddress('::1', '127.0.0.1')).toBe(false);
		expect(canonical('FE80:0:0::1%eth0')).toBe('fe80::1');
	});
});
