// The MongoDB API of a server of the tests, through the unmodified driver.
import { MongoClient } from 'mongodb';

/** A connected client, with the connection string that the server prints. */
export function connectMongo(server, options) {
  return new MongoClient(server.mongoConnectionString, options).connect();
}

/** The error of a call that the server refuses with this code. */
export async function refusedWith(code, promise) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    if (error.code !== code) {
      throw new Error(`expected ${code}, got ${error.code}: ${error.message}`, { cause: error });
    }
    return error;
  }
  throw new Error(`expected ${code}, got ${JSON.stringify(answer)?.slice(0, 300)}`);
}
