import {hostname} from 'node:os';
import {z} from 'zod';
import {boot, exists, startOf, thisMachine} from '../../platform/process-identity.ts';

/**
The owner of a lock: a process of one boot of one machine. `processStart` distinguishes it from a later process with the
same pid.
*/
export type Owner = z.infer<typeof ownerSchema>;

const ownerSchema = z.looseObject({
	pid: z.number().int().positive(),
	processStart: z.string(),
	bootId: z.string(),
	host: z.string(),
	/** Identifies the machine if its host name changes. It is absent in older locks, and empty if it is unknown. */
	machine: z.string().optional(),
	/**
	The folder of the lock, as device and inode. A copy of the folder has different numbers. It is absent in older
	locks.
	*/
	folder: z.string().optional(),
});

/** Returns the owner for this process. */
export async function thisProcess(): Promise<Owner> {
	const [processStart, bootId, machine] = await Promise.all([startOf(process.pid), boot(), thisMachine()]);
	return {pid: process.pid, processStart: processStart ?? '', bootId, host: hostname(), machine};
}

/** Parses the text of a lock. Returns `undefined` for any other text. */
export function parseOwner(text: string): Owner | undefined {
	try {
		return ownerSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/**
Tells whether a lock came with a copy of its folder. Other hosts may see the same folder under another device number, so
their locks are never taken for copies.
*/
export async function isCopied(owner: Owner, folder: string): Promise<boolean> {
	return owner.folder !== undefined && owner.folder !== folder && isHere(owner);
}

/** Tells whether the owner may still be running. A process of another host counts as alive. */
export async function isAlive(owner: Owner): Promise<boolean> {
	if (!(await isHere(owner))) return true;
	if (owner.bootId !== (await boot())) return false;
	if (owner.processStart === '') return exists(owner.pid);
	return (await startOf(owner.pid)) === owner.processStart;
}

/** Tells whether the owner is or was a process of this machine. The host name of a laptop changes with its network. */
async function isHere({host, machine}: Owner): Promise<boolean> {
	if (host === hostname()) return true;
	return machine !== undefined && machine !== '' && machine === (await thisMachine());
}
