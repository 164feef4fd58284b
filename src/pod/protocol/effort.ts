import {z} from 'zod';
import {efforts} from './effort-levels.ts';

export const effortSchema = z.enum(efforts);
