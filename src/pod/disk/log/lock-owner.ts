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
	/** An id of the machine, because its host name may change. Absent in older locks, and empty if it is unknown. */
	machine: z.string().optional(),
	/**
	The device and inode of the folder that contains the lock. A copy of the folder has different numbers. Absent in
	older locks.
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
Tells whether a lock was copied together with its folder. Another host may see the same folder with another device
number, so a lock of another host never counts as a copy.
*/
export async function isCopied(owner: Owner, folder: string): Promise<boolean> {
	return owner.folder !== undefined && owner.folder !== folder && isHere(owner);
}

/** Tells whether the owner may still be running. A process on another host counts as alive. */
export async function isAlive(owner: Owner): Promise<boolean> {
	if (!(await isHere(owner))) return true;
	if (owner.bootId !== (await boot())) return false;
	if (owner.processStart === '') return exists(owner.pid);
	return (await startOf(owner.pid)) === owner.processStart;
}

/**
Tells whether the owner is or was a process on this machine. The machine id is also compared, because the host name of a
laptop may change with its network.
*/
async function isHere({host, machine}: Owner): Promise<boolean> {
	if (host === hostname()) return true;
	return machine !== undefined && machine !== '' && machine === (await thisMachine());
}
