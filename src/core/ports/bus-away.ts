/** Another replica could not be reached, or has not answered in time. Nobody knows whether it has done what it was asked for. */
export class BusAway extends Error {
  override readonly name = 'BusAway';
}
